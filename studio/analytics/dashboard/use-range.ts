import { useSearchParams } from 'react-router'
import { dayOf } from '../../day.ts'
import type { AskedRange } from '../queries.ts'
import { addressOf, askedOf, type Choice, choiceOf } from './range-choice.ts'

/** The days that the address asks for, in the calendar of a timezone, and a function that changes them there. */
export function useRange(timezone: string): { choice: Choice; asked: AskedRange; choose: (choice: Choice) => void } {
  const [address, setAddress] = useSearchParams()
  const today = dayOf(new Date(), timezone)
  const choice = choiceOf(address, today)
  return {
    choice,
    asked: askedOf(choice, today),
    choose: (next) => setAddress(addressOf(next), { replace: true }),
  }
}
