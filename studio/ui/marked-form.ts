import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { type Faults, faultsOf, halfTypedIn, useFocusOnFault } from './faults.ts'

interface Options {
  /** What can be changed, to know whether it was. */
  values: unknown
  /** What is seen to be missing before anything is sent. */
  find: () => Faults
  send: () => Promise<unknown>
}

/**
 * A form whose values lie in groups, such as the words of each language. Nothing is sent while something is missing. Once it was tried, what is
 * wrong stands in `faults` until it is mended, whether it was found here or by the server; the first field that is marked with it gets the focus.
 * `error` has what is to be said above the form. What was saved leads to another page.
 */
export function useMarkedForm({ values, find, send }: Options) {
  const { t } = useTranslation()
  const form = useRef<HTMLFormElement>(null)
  const [tries, setTries] = useState(0)
  const [refused, setRefused] = useState<unknown>(null)
  const [halfTyped, setHalfTyped] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const written = JSON.stringify(values)
  const [opened] = useState(written)
  const found = tries > 0 ? find() : {}
  const faults: Faults = { ...faultsOf(refused), ...found, ...halfTyped }
  useFocusOnFault(form, tries)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    setRefused(null)
    setBusy(true)
    const half = form.current ? halfTypedIn(form.current, t) : {}
    setHalfTyped(half)
    if (Object.keys({ ...find(), ...half }).length === 0) await send().catch(setRefused)
    setBusy(false)
    setTries((before) => before + 1)
  }
  const missing =
    Object.keys({ ...found, ...halfTyped }).length > 0 ? new ApiError('invalid', t('errors.invalid')) : null
  const forget = () => {
    setRefused(null)
    setHalfTyped({})
  }
  /** For a field that appears: it is not wrong before somebody could fill it in. */
  const unmark = () => setTries(0)
  const isUnsaved = written !== opened && !busy
  return { form, faults, error: refused ?? missing, busy, isUnsaved, submit, forget, unmark }
}
