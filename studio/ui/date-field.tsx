import { TextInput, type TextInputProps } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'

/** Without a last day Chromium takes years of six digits. */
const last = { date: '9999-12-31', 'datetime-local': '9999-12-31T23:59', time: undefined }

interface Props extends TextInputProps {
  type?: keyof typeof last
}

/**
 * A day to choose or type, as `2026-11-28`; of other types, a moment or a time. While a part is empty its value is empty too. Firefox empties the
 * other parts when that is written back, so only a value that the field does not have yet is written into it.
 */
export function DateField({ type = 'date', value, ...props }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [first] = useState(value)
  useLayoutEffect(() => {
    if (input.current && value !== undefined && input.current.value !== value) input.current.value = String(value)
  }, [value])
  return (
    <TextInput
      ref={input}
      type={type}
      max={last[type]}
      {...(value !== undefined && { defaultValue: first })}
      {...props}
    />
  )
}
