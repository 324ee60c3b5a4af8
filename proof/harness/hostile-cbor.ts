/** Hostile CBOR: attestations that a decoder must not follow (RFC 8949, section 3). */
import { randomBytes } from 'node:crypto'

const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
export const HOSTILE_CBOR: Readonly<Record<string, Buffer>> = {
  'a list in a list, eleven thousand times': Buffer.alloc(11_000, 0x81),
  'tags of tags': Buffer.alloc(11_000, 0xc1),
  'a list of 2^64 - 1 items': Buffer.from('9bffffffffffffffff', 'hex'),
  'a map of 2^32 - 1 pairs': Buffer.from('baffffffff', 'hex'),
  'a text of 2^63 bytes': Buffer.from('7b8000000000000000', 'hex'),
  'a list without an end': Buffer.concat([Buffer.from([0x9f]), Buffer.alloc(11_000, 0x00)]),
  'maps without an end in each other': Buffer.concat(
    Array.from({ length: 3000 }, () => Buffer.from([0xbf, 0x61, 0x61])),
  ),
  'a map that ends before its value': Buffer.concat([Buffer.from([0xa3]), text('fmt')]),
  'a name twice': Buffer.concat([Buffer.from([0xa2]), text('fmt'), text('none'), text('fmt'), text('none')]),
  'a prototype': Buffer.concat([Buffer.from([0xa1]), text('__proto__'), Buffer.from([0xa0])]),
  'data of an authenticator that is a number': Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x01]),
  ]),
  'nothing but chance': randomBytes(11_000),
}
