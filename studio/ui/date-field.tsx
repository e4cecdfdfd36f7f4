import { TextInput, type TextInputProps } from '@mantine/core'

/** A day to choose or type, as `2026-11-28`. Without a last one Chromium takes years of six digits. */
export function DateField(props: TextInputProps) {
  return <TextInput type="date" max="2099-12-31" {...props} />
}
