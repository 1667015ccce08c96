package plan

// Refused is called with the error about a type that has no plan. It is nil, except in
// the programs that the command bp runs: there it writes the error down, which may end
// the program before bp can ask for it.
var Refused func(err error)

// Refuse calls Refused with an error and returns the error.
func Refuse(err error) error {
	if Refused != nil {
		Refused(err)
	}
	return err
}
