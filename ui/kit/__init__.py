"""What pages are made of: header, figures, downloads, controls that several have, the sidebar."""
