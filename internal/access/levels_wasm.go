package access

const maxOpen = 1 << 9
