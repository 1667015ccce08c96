package values
