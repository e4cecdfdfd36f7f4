import { useMemo } from 'react'
import { digitsOf } from '../../../server/charge/money.ts'
import { useFormat } from '../../format.ts'

const MONTHS = 12

/** Whether a recurring sum of a year has cents when it is written for a month. */
export const hasCents = (yearly: number, currency: string): boolean =>
  Math.round(yearly / MONTHS) % 10 ** digitsOf(currency) !== 0

/**
 * Writes sums of one currency in the language on screen.
 *
 * @param cents whether whole sums have cents too, so that those of a column stand below one another; nothing is 0 all the same
 */
export function useMoney(currency: string, cents = false) {
  const { locale } = useFormat()
  return useMemo(() => {
    const digits = digitsOf(currency)
    const fraction = {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      trailingZeroDisplay: cents ? 'auto' : 'stripIfInteger',
    } as const
    const named = { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...fraction } as const
    const write = (options: Intl.NumberFormatOptions) => {
      // What rounds to nothing has no sign.
      const format = new Intl.NumberFormat(locale, { signDisplay: 'negative', ...options })
      const short = cents
        ? new Intl.NumberFormat(locale, { ...options, trailingZeroDisplay: 'stripIfInteger' })
        : format
      return (value: number) => (value === 0 ? short : format).format(value).replace('-', '−')
    }
    const [sum, signedSum] = [write(named), write({ ...named, signDisplay: 'exceptZero' })]
    const [number, signedNumber] = [write(fraction), write({ ...fraction, signDisplay: 'exceptZero' })]
    const [whole, signedWhole] = [
      write({ maximumFractionDigits: 0 }),
      write({ maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
    ]
    const units = (amount: number) => amount / 10 ** digits
    return {
      /** Of smallest units: €12.50 */
      sum: (amount: number) => sum(units(amount)),
      /** Of smallest units of a year, in a month. */
      monthly: (yearly: number) => sum(units(yearly / MONTHS)),
      signedMonthly: (yearly: number) => signedSum(units(yearly / MONTHS)),
      /** The same without the currency, for tables. */
      monthlyNumber: (yearly: number) => number(units(yearly / MONTHS)),
      signedMonthlyNumber: (yearly: number) => signedNumber(units(yearly / MONTHS)),
      wholeMonthly: (yearly: number) => whole(units(yearly / MONTHS)),
      signedWholeMonthly: (yearly: number) => signedWhole(units(yearly / MONTHS)),
      /** As a chart has it: units of the currency in a month. */
      monthlyUnits: (yearly: number) => units(yearly / MONTHS),
      ofUnits: sum,
      signedOfUnits: signedSum,
    }
  }, [currency, locale, cents])
}
