import { Extension, type GlobalAttributes } from '@tiptap/core'
import { type FaceKey, faceKeys, faces } from '../../page/faces.ts'
import { knownValue } from './known-value.ts'

export const textSizes = ['small', 'normal', 'large', 'huge'] as const
export type TextSize = (typeof textSizes)[number]

/** Times the size of the text around it. */
export const sizeFactor: Readonly<Record<TextSize, number>> = { small: 0.84, normal: 1, large: 1.35, huge: 1.9 }

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    textFormat: {
      setSize: (size: TextSize) => ReturnType
      unsetSize: () => ReturnType
      /** `#rrggbb` */
      setColor: (color: string) => ReturnType
      unsetColor: () => ReturnType
      /** `#rrggbb` */
      setBackgroundColor: (color: string) => ReturnType
      unsetBackgroundColor: () => ReturnType
      setFont: (font: FaceKey) => ReturnType
      unsetFont: () => ReturnType
    }
  }
}

/** `#rrggbb` for a colour that a browser wrote as `#rgb`, `#rrggbb` or `rgb(…)`; null for any other. */
export function hexColor(css: string | null | undefined): string | null {
  const text = (css ?? '').trim().toLowerCase()
  if (/^#[0-9a-f]{6}$/.test(text)) return text
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(text)
  if (short) return `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`
  const rgb = /^rgba?\((\d{1,3}),\s*(\d{1,3}),\s*(\d{1,3})(?:,\s*1)?\)$/.exec(text)
  if (!rgb) return null
  return `#${[rgb[1], rgb[2], rgb[3]].map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0')).join('')}`
}

const fontOf = (family: string): FaceKey | null =>
  faceKeys.find((key) => {
    const label = faces[key].label
    return label !== null && family.replaceAll(/['"]/g, '').startsWith(label)
  }) ?? null

const attributes: GlobalAttributes[number]['attributes'] = {
  size: {
    default: null,
    parseHTML: (element) => knownValue(textSizes, element.dataset.size) ?? null,
    renderHTML: ({ size }) => {
      const known = knownValue(textSizes, size)
      return known ? { 'data-size': known, style: `font-size: ${sizeFactor[known]}em` } : {}
    },
  },
  color: {
    default: null,
    parseHTML: (element) => hexColor(element.style.color),
    renderHTML: ({ color }) => (color ? { style: `color: ${color}` } : {}),
  },
  backgroundColor: {
    default: null,
    parseHTML: (element) => hexColor(element.style.backgroundColor),
    renderHTML: ({ backgroundColor }) => (backgroundColor ? { style: `background-color: ${backgroundColor}` } : {}),
  },
  font: {
    default: null,
    parseHTML: (element) => knownValue(faceKeys, element.dataset.font) ?? fontOf(element.style.fontFamily),
    renderHTML: ({ font }) => {
      const known = knownValue(faceKeys, font)
      return known ? { 'data-font': known, style: `font-family: ${faces[known].web}` } : {}
    },
  },
}

/** Size, colour, background and font, as attributes of the `textStyle` mark, with the commands the toolbar calls. */
export const TextFormat = Extension.create({
  name: 'textFormat',
  addGlobalAttributes: () => [{ types: ['textStyle'], attributes }],
  addCommands() {
    const set =
      (name: string) =>
      (value: string) =>
      ({ chain }: { chain: () => import('@tiptap/core').ChainedCommands }) =>
        chain()
          .setMark('textStyle', { [name]: value })
          .run()
    const unset =
      (name: string) =>
      () =>
      ({ chain }: { chain: () => import('@tiptap/core').ChainedCommands }) =>
        chain()
          .setMark('textStyle', { [name]: null })
          .removeEmptyTextStyle()
          .run()
    return {
      setSize: set('size'),
      unsetSize: unset('size'),
      setColor: set('color'),
      unsetColor: unset('color'),
      setBackgroundColor: set('backgroundColor'),
      unsetBackgroundColor: unset('backgroundColor'),
      setFont: set('font'),
      unsetFont: unset('font'),
    }
  },
})
