"""The optimum where everyone may go everywhere: bounds, packing, and the solver on parts."""
