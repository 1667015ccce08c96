package delta

// mostHeader is the largest size of a header in bytes.
const mostHeader = 16
