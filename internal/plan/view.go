package plan

// View hides a plan from users. typecache.Plan has the same underlying type, so
// the packages of this module convert between pointers to the two. No other
// package can name View or reach its field.
type View struct{ plan *Plan }

// Plan returns the plan that v hides.
func (v *View) Plan() *Plan { return v.plan }

// View returns the view of a plan that has been sealed.
func (p *Plan) View() *View { return &p.view }

// Seal gives a new plan its view. The view is part of the plan, so that a lookup
// of a cached plan allocates nothing.
func (p *Plan) Seal() { p.view.plan = p }
