import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartError } from '../start-error.ts'
import { countryDatabase as database } from '../testing/country-database.ts'
import { Networks } from './networks.ts'

const folder = mkdtempSync(join(tmpdir(), 'tirage-networks-'))
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
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
