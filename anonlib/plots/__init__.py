"""From results to Plotly figures, one module an analysis. Figures hold no computing and no colours of their own."""
