/** A value of a database in MaxMind’s format. */
type Value = string | number | { [key: string]: Value }

/** A value of the data section (MaxMind DB File Format Specification 2.0). Numbers are 32 bits. */
function encoded(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(5, (6 << 5) | 4)
    bytes.writeUInt32BE(value, 1)
    return bytes
  }
  const entries = Object.entries(value)
  const parts = entries.flatMap(([key, one]) => [encoded(key), encoded(one)])
  return Buffer.concat([Buffer.from([(7 << 5) | entries.length]), ...parts])
}

/** A database in MaxMind’s format with one network of IPv4: a chain of nodes, one for each bit of it. */
export function countryDatabase(network: number[], data: Value): Buffer {
  const bits = network.flatMap((byte) => Array.from({ length: 8 }, (_, place) => (byte >> (7 - place)) & 1))
  const count = bits.length
  const nodes = bits.map((bit, index) => {
    const next = index === count - 1 ? count + 16 : index + 1
    const node = Buffer.alloc(6)
    node.writeUIntBE(bit === 0 ? next : count, 0, 3)
    node.writeUIntBE(bit === 1 ? next : count, 3, 3)
    return node
  })
  const metadata = {
    node_count: count,
    record_size: 24,
    ip_version: 4,
    database_type: 'Test-Country',
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_795_000_000,
  }
  const marker = Buffer.from('\u00ab\u00cd\u00efMaxMind.com', 'latin1')
  return Buffer.concat([...nodes, Buffer.alloc(16), encoded(data), marker, encoded(metadata)])
}
