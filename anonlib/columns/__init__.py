"""What a column is: what it holds, its codes, its role."""
