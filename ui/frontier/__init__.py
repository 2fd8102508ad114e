"""What only the Frontier page needs."""
