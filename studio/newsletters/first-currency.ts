import { type Currency, currencies } from '../../server/charge/money.ts'
import type { Settings } from '../settings.ts'

/** The regions of the world in which a currency is paid. */
const regionsOf: Record<Currency, string> = {
  aud: 'AU',
  brl: 'BR',
  cad: 'CA',
  chf: 'CH LI',
  czk: 'CZ',
  dkk: 'DK FO GL',
  eur: 'AD AT BE BG CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MQ MT NL PM PT RE SI SK SM VA XK YT',
  gbp: 'GB GG IM JE',
  hkd: 'HK',
  inr: 'IN',
  jpy: 'JP',
  krw: 'KR',
  mad: 'MA EH',
  mxn: 'MX',
  nok: 'NO SJ',
  nzd: 'NZ',
  pln: 'PL',
  ron: 'RO',
  sek: 'SE',
  sgd: 'SG',
  usd: 'US PR GU VI AS MP EC SV',
  xaf: 'CM CF CG GA GQ TD',
  xof: 'BF BJ CI GW ML NE SN TG',
  xpf: 'NC PF WF',
  zar: 'ZA',
}

/** Of the largest zones, by what they begin with. */
const zonesOf: Partial<Record<Currency, string>> = {
  aud: 'Australia/',
  brl: 'America/Sao_Paulo',
  cad: 'America/Toronto America/Vancouver America/Montreal America/Edmonton America/Winnipeg America/Halifax',
  chf: 'Europe/Zurich',
  czk: 'Europe/Prague',
  dkk: 'Europe/Copenhagen',
  eur: 'Europe/Paris Europe/Brussels Europe/Berlin Europe/Madrid Europe/Rome Europe/Amsterdam Europe/Lisbon Europe/Vienna Europe/Dublin Europe/Luxembourg Europe/Athens Europe/Helsinki Europe/Monaco',
  gbp: 'Europe/London',
  hkd: 'Asia/Hong_Kong',
  inr: 'Asia/Kolkata Asia/Calcutta',
  jpy: 'Asia/Tokyo',
  krw: 'Asia/Seoul',
  mad: 'Africa/Casablanca',
  mxn: 'America/Mexico_City',
  nok: 'Europe/Oslo',
  nzd: 'Pacific/Auckland',
  pln: 'Europe/Warsaw',
  ron: 'Europe/Bucharest',
  sek: 'Europe/Stockholm',
  sgd: 'Asia/Singapore',
  usd: 'America/New_York America/Chicago America/Denver America/Los_Angeles America/Phoenix',
  xof: 'Africa/Dakar Africa/Abidjan',
  zar: 'Africa/Johannesburg',
}

/** The currency in which a new newsletter begins: by the timezone, else by the region of the browser’s language, else that of the person. */
export function firstCurrency({ timezone, currencyformat }: Settings, locale: string = navigator.language): Currency {
  const region = regionOf(locale)
  const byRegion = currencies.find((one) => region && regionsOf[one].split(' ').includes(region))
  const byZone = currencies.find((one) => zonesOf[one]?.split(' ').some((zone) => timezone.startsWith(zone)))
  return byZone ?? byRegion ?? currencyformat
}

function regionOf(locale: string): string | undefined {
  try {
    return new Intl.Locale(locale).region
  } catch {
    return undefined
  }
}
