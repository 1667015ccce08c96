@0xdc8183bbb7e035cd;

using Go = import "/go.capnp";
$Go.package("capnpgen");
$Go.import("github.com/gobitpack/bitpack/bench/internal/capnpgen");

struct Small {
  name @0 :Text;
  birthDay @1 :Int64;
  phone @2 :Text;
  siblings @3 :UInt8;
  spouse @4 :Bool;
  money @5 :Float64;
}

struct Packet {
  sequence @0 :UInt64;
  positionX @1 :Float32;
  positionY @2 :Float32;
  positionZ @3 :Float32;
  orientationX @4 :Float32;
  orientationY @5 :Float32;
  orientationZ @6 :Float32;
  orientationW @7 :Float32;
  health @8 :Int16;
  weapon @9 :UInt8;
  ammo @10 :Data;
  firing @11 :Bool;
  events @12 :List(UInt32);
  payload @13 :Data;
}

struct Frame {
  objects @0 :List(Object);
}

struct Object {
  kind @0 :UInt8;
  sleeping @1 :Bool;
  x @2 :Int32;
  y @3 :Int32;
  z @4 :Int32;
  largest @5 :UInt8;
  a @6 :UInt32;
  b @7 :UInt32;
  c @8 :UInt32;
  velocityX @9 :Int32;
  velocityY @10 :Int32;
  velocityZ @11 :Int32;
  angularX @12 :Int32;
  angularY @13 :Int32;
  angularZ @14 :Int32;
  steer @15 :UInt8;
  throttle @16 :UInt8;
  handbrake @17 :Bool;
}
