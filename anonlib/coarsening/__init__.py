"""Values made coarser: recodings, and hierarchies of them."""
