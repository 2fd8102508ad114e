"""The optimum under rules on who may go where and who meets whom, and whether there is any schedule at all."""
