import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { IconSearch } from './icons.ts'

interface SearchFieldProps {
  label: string
  onSearch: (words: string) => void
}

/** A search field that calls `onSearch` when the typing pauses. */
export function SearchField({ label, onSearch }: SearchFieldProps) {
  const [words, setWords] = useState('')
  const ask = useDebouncedCallback(onSearch, 250)
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} stroke={1.6} />}
      value={words}
      onChange={(event) => {
        setWords(event.currentTarget.value)
        ask(event.currentTarget.value.trim())
      }}
      style={{ flex: '0 1 280px' }}
    />
  )
}
