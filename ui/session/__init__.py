"""What one session holds, and how work runs in it: state, settings, cache, undo, the view of it all."""
