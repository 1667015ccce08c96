package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	lobby := newLobby()
	attack.Fuzz(f,
		attack.Type(tagcodec.MustFor[Lobby](), lobby),
		attack.Type(tagcodec.MustFor[Scores](), lobby.Scores),
		attack.Type(tagcodec.MustFor[Visible](), lobby.Visible),
		attack.Type(tagcodec.MustFor[Bank](), lobby.Bank),
		attack.Type(tagcodec.MustFor[Title](), lobby.Title),
		attack.Type(tagcodec.MustFor[Clan](), lobby.Clan),
		attack.Type(tagcodec.MustFor[Server](), lobby.Server),
		attack.Type(tagcodec.MustFor[Started](), lobby.Started),
	)
}
