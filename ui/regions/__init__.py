"""What only the Regions page needs."""
