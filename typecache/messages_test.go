package typecache_test

// Messages from the articles about the format, tagged as a user would tag them.
type (
	Character struct {
		Name      string `bp:"string,maxlen=23"`
		Level     int32  `bp:"int,min=1,max=60"`
		Stats     Stats
		Inventory Inventory
		HasGuild  bool
		GuildID   uint64 `bp:"if=HasGuild"`
	}

	Stats struct {
		Strength int32   `bp:"int,min=1,max=20"`
		Agility  int32   `bp:"int,min=1,max=20"`
		Stamina  float32 `bp:"float,min=0,max=100,res=0.5"`
	}

	Inventory struct {
		Gold  int64           `bp:"int,min=0,max=1_000_000_000_000"`
		Items []InventoryItem `bp:"maxlen=8"`
	}

	InventoryItem struct {
		ID        uint16
		Quantity  int32 `bp:"int,min=1,max=99"`
		Enchanted bool
		Enchant   Enchant `bp:"if=Enchanted"`
	}

	Enchant struct {
		Kind  uint8 `bp:"uint,bits=5"`
		Power float32
	}

	EntityUpdates struct {
		Sequence uint16
		Entities []EntityUpdate `bp:"maxlen=32"`
	}

	EntityUpdate struct {
		ID       int32  `bp:"relative,chain,base=0"`
		Flags    uint8  `bp:"uint,bits=3"`
		Position Vec3   `bp:"float,min=-512,max=512,res=0.02,if=Flags&1"`
		Health   int32  `bp:"int,min=0,max=100,if=Flags&2"`
		Yaw      uint16 `bp:"uint,bits=9,if=Flags&4"`
	}

	Vec4 struct{ X, Y, Z, W float32 }
)
