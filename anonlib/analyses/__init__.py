"""The five published systems and what stands beside them; none imports another."""
