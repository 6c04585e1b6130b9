//! Packs ranked entries into one fenced block within a byte budget.
