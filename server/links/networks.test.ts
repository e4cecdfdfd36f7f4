import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartError } from '../start-error.ts'
import { Networks } from './networks.ts'

const folder = mkdtempSync(join(tmpdir(), 'tirage-networks-'))
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

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

/** A database with one network of IPv4: a chain of nodes, one for each bit of it. */
function database(network: number[], data: Value): Buffer {
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

test('the country of an address is read from a database in MaxMind’s format, and nothing from elsewhere', () => {
  const countryDatabase = file('fr.mmdb', database([203, 0, 113], { country: { iso_code: 'FR' } }))
  const networks = new Networks({ countryDatabase, dataCentreNetworks: null })
  expect(networks.countryOf('203.0.113.9')).toBe('FR')
  expect(networks.countryOf('::ffff:203.0.113.9')).toBe('FR')
  for (const other of ['203.0.112.9', '198.51.100.1', '2001:db8::1', 'nonsense', ''])
    expect(networks.countryOf(other)).toBeNull()
  const registered = file('de.mmdb', database([10], { registered_country: { iso_code: 'DE' } }))
  expect(new Networks({ countryDatabase: registered, dataCentreNetworks: null }).countryOf('10.1.2.3')).toBe('DE')
  const odd = file('odd.mmdb', database([10], { country: { iso_code: '<b>' } }))
  expect(new Networks({ countryDatabase: odd, dataCentreNetworks: null }).countryOf('10.1.2.3')).toBeNull()
})

test('networks of data centres may overlap and stand in any order; single addresses are networks too', () => {
  const dataCentreNetworks = file(
    'list.txt',
    '10.2.0.0/16\n10.0.0.0/8 # all of it\n192.0.2.7\n2001:db8::/32\r\n\n# nothing\n10.255.255.0/24\n',
  )
  const networks = new Networks({ countryDatabase: null, dataCentreNetworks })
  for (const inside of ['10.0.0.0', '10.2.3.4', '10.255.255.255', '192.0.2.7', '2001:db8:ffff::1', '::ffff:10.1.1.1'])
    expect([inside, networks.isDataCentre(inside)]).toEqual([inside, true])
  for (const outside of ['9.255.255.255', '11.0.0.0', '192.0.2.6', '192.0.2.8', '2001:db9::', 'x'])
    expect([outside, networks.isDataCentre(outside)]).toEqual([outside, false])
})

test('a file that cannot be read is named when the program starts, with what is wrong in it', () => {
  const start = (countryDatabase: string | null, dataCentreNetworks: string | null) => () =>
    new Networks({ countryDatabase, dataCentreNetworks })
  expect(start(file('not.mmdb', 'no database'), null)).toThrow(StartError)
  expect(start(join(folder, 'nowhere.mmdb'), null)).toThrow(/COUNTRY_DATABASE/)
  expect(start(null, join(folder, 'nowhere.txt'))).toThrow(/DATA_CENTRE_NETWORKS/)
  expect(start(null, file('bad.txt', '10.0.0.0/8\n10.0.0.0/99\n'))).toThrow(/line 2/)
})
