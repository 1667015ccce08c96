//go:build ignore

// The C++ side of the comparison: the messages of bench/values over serialize.h.
// It obeys commands on its standard input, one per line, and answers each with a
// line:
//
//   load NAME HEX      reads a message, keeps it, and writes it again: answers HEX
//   write NAME TIMES   writes all kept messages TIMES times: answers nanoseconds
//   read NAME TIMES    reads all kept messages TIMES times: answers nanoseconds

#include "serialize.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#define INLINE __attribute__(( always_inline )) inline

struct Packet
{
    uint64_t sequence;
    float position[3];
    float orientation[4];
    int32_t health;
    uint8_t weapon;
    uint8_t ammo[8];
    bool firing;
    int32_t events;
    uint32_t event[16];
    uint8_t payload[64];

    template <typename Stream> INLINE bool Serialize( Stream & stream )
    {
        serialize_uint64( stream, sequence );
        for ( int i = 0; i < 3; i++ )
        {
            serialize_compressed_float( stream, position[i], -1024.0f, 1024.0f, 0.01f );
        }
        for ( int i = 0; i < 4; i++ )
        {
            serialize_compressed_float( stream, orientation[i], -1.0f, 1.0f, 0.0001f );
        }
        serialize_int( stream, health, 0, 1000 );
        serialize_bits( stream, weapon, 4 );
        for ( int i = 0; i < 8; i++ )
        {
            serialize_int( stream, ammo[i], 0, 200 );
        }
        serialize_bool( stream, firing );
        serialize_int( stream, events, 0, 16 );
        for ( int i = 0; i < events; i++ )
        {
            serialize_bits( stream, event[i], 32 );
        }
        serialize_bytes( stream, payload, (int) sizeof( payload ) );
        return true;
    }
};

struct Ship
{
    uint8_t type;
    int32_t position[3];
    int16_t rotation[4];
    int32_t velocity[3];
    bool hasFlags;
    uint64_t flags;
    uint8_t team;
    int16_t health;
    int8_t thrust;

    template <typename Stream> INLINE bool Serialize( Stream & stream )
    {
        serialize_int( stream, type, 0, 5 );
        for ( int i = 0; i < 3; i++ )
        {
            serialize_int( stream, position[i], -8388608, 8388608 );
        }
        for ( int i = 0; i < 4; i++ )
        {
            serialize_int( stream, rotation[i], -1024, 1024 );
        }
        for ( int i = 0; i < 3; i++ )
        {
            serialize_int( stream, velocity[i], -2097152, 2097152 );
        }
        serialize_bool( stream, hasFlags );
        if ( hasFlags )
        {
            serialize_bits( stream, flags, 4 );
        }
        else if ( Stream::IsReading )
        {
            flags = 0;
        }
        serialize_int( stream, team, 0, 2 );
        serialize_int( stream, health, 0, 1000 );
        serialize_int( stream, thrust, 0, 100 );
        return true;
    }
};

struct Real
{
    int32_t a1; double a2; int32_t a3; float a4; uint16_t a5; int16_t a6; float a7; uint64_t a8; int8_t a9;
    float a10; uint32_t a11; bool a12; float a13; uint16_t a14; int8_t a15; int32_t a16; uint16_t a17; int16_t a18;
    double a19; float a20; uint32_t a21; float a22; uint32_t a23; float a24; int16_t a25; uint32_t a26; float a27;
    uint32_t a28; int64_t a29; float a30; uint32_t a31; int8_t a32; uint32_t a33; uint16_t a34; uint32_t a35;
    uint8_t a36; bool a37, a38; uint32_t a39; int16_t a40; int8_t a41; uint32_t a42; bool a43; float a44;
    uint32_t a45, a46; int32_t a47; double a48; uint16_t a49; bool a50, a51; int8_t a52; float a53; int8_t a54;
    bool a55; int8_t a56, a57; float a58; double a59; uint32_t a60; float a61; uint16_t a62; int64_t a63;
    uint16_t a64; float a65; uint16_t a66; float a67, a68; uint32_t a69; uint8_t a70; float a71, a72; int8_t a73;
    bool a74; uint64_t a75; int16_t a76; int8_t a77; uint32_t a78; uint8_t a79; bool a80; uint32_t a81, a82;
    uint8_t a83, a84; uint32_t a85; uint16_t a86; double a87; int16_t a88; uint64_t a89; uint8_t a90; uint64_t a91;
    bool a92; uint64_t a93; bool a94; int32_t a95; uint32_t a96, a97;

    template <typename Stream> INLINE bool Serialize( Stream & stream )
    {
        serialize_int( stream, a1, -805495, 805495 );
        serialize_double( stream, a2 );
        serialize_int( stream, a3, -835897, 835897 );
        serialize_compressed_float( stream, a4, 0.0f, 2000.0f, 0.1f );
        serialize_int( stream, a5, 0, 7316 );
        serialize_int( stream, a6, -1513, 1513 );
        serialize_float( stream, a7 );
        serialize_uint64( stream, a8 );
        serialize_int( stream, a9, -22, 22 );
        serialize_float( stream, a10 );
        serialize_bits( stream, a11, 10 );
        serialize_bool( stream, a12 );
        if ( a12 )
        {
            serialize_float( stream, a13 );
            serialize_int( stream, a14, 0, 775 );
            serialize_int( stream, a15, -21, 21 );
            serialize_fixed( stream, a16, 12, 20, -36, 36 );
            serialize_int( stream, a17, 0, 4606 );
        }
        else if ( Stream::IsReading )
        {
            a13 = a14 = a15 = a16 = a17 = 0;
        }
        serialize_int( stream, a18, -834, 834 );
        serialize_double( stream, a19 );
        serialize_float( stream, a20 );
        serialize_fixed( stream, a21, 20, 12, 0, 25141 );
        serialize_float( stream, a22 );
        serialize_bits( stream, a23, 25 );
        serialize_float( stream, a24 );
        serialize_fixed( stream, a25, 8, 8, -119, 119 );
        serialize_bits( stream, a26, 9 );
        serialize_compressed_float( stream, a27, -2.0f, 2.0f, 0.25f );
        serialize_bits( stream, a28, 4 );
        serialize_uint64( stream, a29 );
        serialize_float( stream, a30 );
        serialize_bits( stream, a31, 1 );
        serialize_int( stream, a32, -3, 3 );
        serialize_int( stream, a33, 0, 142780 );
        serialize_int( stream, a34, 0, 14149 );
        serialize_bits( stream, a35, 9 );
        serialize_int( stream, a36, 0, 5 );
        serialize_bool( stream, a37 );
        serialize_bool( stream, a38 );
        serialize_bits( stream, a39, 19 );
        serialize_fixed( stream, a40, 4, 12, -5, 5 );
        serialize_int( stream, a41, -55, 55 );
        serialize_bits( stream, a42, 30 );
        serialize_bool( stream, a43 );
        if ( a43 )
        {
            serialize_float( stream, a44 );
            serialize_bits( stream, a45, 12 );
            serialize_int( stream, a46, 0, 76063 );
            serialize_int( stream, a47, -430976, 430976 );
        }
        else if ( Stream::IsReading )
        {
            a44 = a45 = a46 = a47 = 0;
        }
        serialize_double( stream, a48 );
        serialize_fixed( stream, a49, 2, 14, 0, 3 );
        serialize_bool( stream, a50 );
        if ( a50 )
        {
            serialize_bool( stream, a51 );
            serialize_int( stream, a52, -57, 57 );
            serialize_float( stream, a53 );
            serialize_int( stream, a54, -35, 35 );
        }
        else if ( Stream::IsReading )
        {
            a51 = a52 = a53 = a54 = 0;
        }
        serialize_bool( stream, a55 );
        serialize_int( stream, a56, -13, 13 );
        serialize_int( stream, a57, -15, 15 );
        serialize_float( stream, a58 );
        serialize_double( stream, a59 );
        serialize_bits( stream, a60, 8 );
        serialize_compressed_float( stream, a61, -90.0f, 90.0f, 0.5f );
        serialize_int( stream, a62, 0, 503 );
        serialize_uint64( stream, a63 );
        serialize_int( stream, a64, 0, 299 );
        serialize_compressed_float( stream, a65, 0.0f, 30.0f, 0.5f );
        serialize_fixed( stream, a66, 2, 14, 0, 2 );
        serialize_compressed_float( stream, a67, -100.0f, 100.0f, 0.25f );
        serialize_compressed_float( stream, a68, 0.0f, 2000.0f, 1.0f );
        serialize_bits( stream, a69, 11 );
        serialize_int( stream, a70, 0, 2 );
        serialize_compressed_float( stream, a71, 0.0f, 10.0f, 0.02f );
        serialize_compressed_float( stream, a72, 0.0f, 100.0f, 0.01f );
        serialize_int( stream, a73, -4, 4 );
        serialize_bool( stream, a74 );
        if ( a74 )
        {
            serialize_uint64( stream, a75 );
            serialize_int( stream, a76, -26218, 26218 );
            serialize_int( stream, a77, -17, 17 );
            serialize_bits( stream, a78, 9 );
            serialize_int( stream, a79, 0, 17 );
        }
        else if ( Stream::IsReading )
        {
            a75 = a76 = a77 = a78 = a79 = 0;
        }
        serialize_bool( stream, a80 );
        serialize_bits( stream, a81, 29 );
        serialize_bits( stream, a82, 25 );
        serialize_int( stream, a83, 0, 5 );
        serialize_fixed( stream, a84, 1, 7, 0, 1 );
        serialize_bits( stream, a85, 21 );
        serialize_int( stream, a86, 0, 399 );
        serialize_double( stream, a87 );
        serialize_int( stream, a88, -694, 694 );
        serialize_bits( stream, a89, 48 );
        serialize_int( stream, a90, 0, 214 );
        serialize_bits( stream, a91, 5 );
        serialize_bool( stream, a92 );
        serialize_bits( stream, a93, 64 );
        serialize_bool( stream, a94 );
        serialize_fixed( stream, a95, 16, 16, -1577, 1577 );
        serialize_bits( stream, a96, 18 );
        serialize_bits( stream, a97, 12 );
        return true;
    }
};

// The compiler must assume that the memory at p is read and written here.
static void escape( const void * p ) { asm volatile( "" : : "g"( p ) : "memory" ); }

static std::string hex( const uint8_t * data, int64_t bytes )
{
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for ( int64_t i = 0; i < bytes; i++ )
    {
        text += digits[data[i] >> 4];
        text += digits[data[i] & 15];
    }
    return text;
}

static std::vector<uint8_t> bytesOf( const std::string & text )
{
    std::vector<uint8_t> data;
    for ( size_t i = 0; i + 1 < text.size(); i += 2 )
    {
        data.push_back( (uint8_t) std::stoi( text.substr( i, 2 ), nullptr, 16 ) );
    }
    return data;
}

// The size of the buffer for writing is not known when the program is compiled.
static volatile int bufferSize = 1024;

template <typename T> class Messages
{
public:

    std::string load( const std::string & text )
    {
        std::vector<uint8_t> data = bytesOf( text );
        int bytes = (int) data.size();
        data.resize( bytes + 16 );      // serialize.h loads whole words after the end
        T value = T();
        serialize::ReadStream in( data.data(), bytes );
        if ( !value.Serialize( in ) || in.GetBytesProcessed() != bytes )
        {
            return "refused";
        }
        m_values.push_back( value );
        m_data.push_back( data );
        m_bytes.push_back( bytes );
        serialize::WriteStream out( m_buffer, bufferSize );
        if ( !value.Serialize( out ) )
        {
            return "not written";
        }
        out.Flush();
        return hex( m_buffer, out.GetBytesProcessed() );
    }

    __attribute__(( noinline )) bool write( long times )
    {
        const int size = bufferSize;
        int64_t total = 0;
        for ( long n = 0; n < times; n++ )
        {
            for ( T & value : m_values )
            {
                serialize::WriteStream stream( m_buffer, size );
                if ( !value.Serialize( stream ) )
                {
                    return false;
                }
                stream.Flush();
                escape( m_buffer );
                total += stream.GetBytesProcessed();
            }
        }
        m_total += total;
        return true;
    }

    __attribute__(( noinline )) bool read( long times )
    {
        for ( long n = 0; n < times; n++ )
        {
            for ( size_t i = 0; i < m_data.size(); i++ )
            {
                serialize::ReadStream stream( m_data[i].data(), m_bytes[i] );
                if ( !m_into.Serialize( stream ) )
                {
                    return false;
                }
                escape( &m_into );
            }
        }
        return true;
    }

    std::string obey( const std::string & command, const std::string & argument )
    {
        if ( command == "load" )
        {
            return load( argument );
        }
        const long times = std::stol( argument );
        const auto start = std::chrono::steady_clock::now();
        const bool ok = command == "write" ? write( times ) : read( times );
        const auto took = std::chrono::steady_clock::now() - start;
        return ok ? std::to_string( std::chrono::duration_cast<std::chrono::nanoseconds>( took ).count() ) : "refused";
    }

private:

    std::vector<T> m_values;
    std::vector<std::vector<uint8_t>> m_data;
    std::vector<int> m_bytes;
    T m_into = T();
    uint8_t m_buffer[1024] = {};
    int64_t m_total = 0;
};

static Messages<Packet> packets;
static Messages<Real> reals;
static Messages<Ship> ships;

int main()
{
    std::string command, name, argument;
    while ( std::cin >> command >> name >> argument )
    {
        std::string answer = "no such message";
        if ( name == "packet" )
        {
            answer = packets.obey( command, argument );
        }
        else if ( name == "real" )
        {
            answer = reals.obey( command, argument );
        }
        else if ( name == "ship" )
        {
            answer = ships.obey( command, argument );
        }
        std::cout << answer << std::endl;
    }
    return 0;
}
