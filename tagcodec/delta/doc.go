// Package delta codes snapshots of a game's state against earlier snapshots that
// the receiver has acknowledged. Most of a snapshot has not changed, and most of
// the rest moves as it did before.
//
//	type World struct {
//		Bodies []Body `bp:"maxlen=1000"`
//	}
//
//	type Body struct {
//		ID       uint32   `bp:"key"`
//		Position [3]int32 `bp:"int,min=-100000,max=100000,pred=lin"`
//		Alive    bool
//	}
//
//	codec := delta.MustFor[World]()
//
//	// The server, once per tick, and for each client:
//	image, err = codec.Quantize(&world, image)
//	message, err = sender.Append(message[:0], tick, image) // empty: nothing is to be sent
//
//	// A client:
//	tick, err := receiver.Read(message, &world) // then acknowledge tick
//
//	// The server, when an acknowledgement arrives:
//	sender.Ack(tick)
//
// The tags of package tagcodec say what a snapshot is. Three options, pred, key
// and step, concern only deltas:
//
//   - pred=hold, the default: a value is near to that of the base.
//   - pred=lin: a value goes on moving as it did between earlier snapshots.
//   - pred=vel:Field: a value moves by a velocity, which is another field of the
//     same struct. Both are in their own units, and Field is per second. For a
//     rotation it is an angular velocity around the axes of the world in radians
//     per second. [WithTickRate] turns ticks into seconds.
//   - key, on an integer of a slice's element type: identifies an element,
//     wherever it stands. The elements are then a set: they are restored in the
//     order of their keys.
//   - step=auto, on an array or slice: the elements are sampled at ticks of their
//     own, and pred=vel moves each by its own number of ticks.
//
// # Images
//
// An [Image] is a quantized snapshot, the state as every receiver sees it. A
// server makes one for each tick and shares it between all senders. For receivers
// that see a part of the world, [Image.Select] makes an image of some of the
// elements without quantizing again.
//
// # Loss
//
// A [Sender] refers only to snapshots that have been acknowledged. An
// acknowledgement means that [Receiver.Read] has succeeded, not only that a
// datagram arrived. Whatever a network loses, repeats or reorders, a receiver has
// exactly the state that was sent, or an error that says which image is missing.
// A receiver that has lost its images asks for a complete snapshot, and the
// server calls [Sender.Reset].
//
// Ticks are numbers that increase with each snapshot. A message has their low 16
// bits, so a message must not arrive more than 65,000 ticks late; the sequence
// numbers of package packet see to that. A Sender and its Receiver belong to one
// session: when either side starts again, both do.
//
// Package packet acknowledges, splits long messages into fragments, and compares
// the [Codec.Hash] of the two sides if a packet type carries the codec. The page
// docs/DELTA.md has the rules.
//
// [Receiver.Explain] and [Codec.Explain] show what each bit of a message means,
// and how each value was predicted.
//
// # Safety
//
// Read refuses everything that Unmarshal refuses. A message takes memory for the
// elements of its base and, for each of its bits, at most one new element or 256
// bytes of one. It takes time for the elements of its references and for its
// bits. A message is never longer than a complete one of package tagcodec with a
// header of a few bytes: see [Codec.MaxBits].
//
// # Limits
//
// A Sender does not fill a budget of bytes by priority, and there are no partial
// updates: each message has all of its image. A message is not split into
// datagrams.
//
// A value with a Serialize method is sent in full if it changes. It is read and
// written again with the options of [WithCodec], and must write what it reads.
//
// The documents have the format and the other limits, and say which prediction
// pays when.
package delta
