"""What was decided, and what is filed of it: project, evidence, report."""
