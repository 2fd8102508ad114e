"""What leaves the house: the recipe, what it does to risk and to the data, and the file itself."""
