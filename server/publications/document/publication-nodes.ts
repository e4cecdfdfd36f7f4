import { Node } from '@tiptap/core'
import { knownValue } from './known-value.ts'

export const buttonAligns = ['left', 'center', 'right'] as const
type ButtonAlign = (typeof buttonAligns)[number]
export const calloutTones = ['note', 'tip', 'warning'] as const
export type CalloutTone = (typeof calloutTones)[number]
export const dividerKinds = ['stars', 'dots', 'space'] as const
type DividerKind = (typeof dividerKinds)[number]

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    publicationNodes: {
      /** `field` is a field of the subscriber, such as `name`; `fallback` replaces it when it is empty. */
      setMergeTag: (tag: { field: string; fallback: string }) => ReturnType
      setButton: (button: { label: string; href: string; align?: ButtonAlign }) => ReturnType
      setDivider: (kind?: DividerKind) => ReturnType
      toggleCallout: (tone?: CalloutTone) => ReturnType
    }
  }
}

export const MergeTag = Node.create({
  name: 'mergeTag',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    field: { default: 'name', parseHTML: (element) => element.dataset.mergeTag ?? 'name', rendered: false },
    fallback: { default: '', parseHTML: (element) => element.dataset.fallback ?? '', rendered: false },
  }),
  parseHTML: () => [{ tag: 'span[data-merge-tag]' }],
  renderHTML: ({ node }) => [
    'span',
    { 'data-merge-tag': node.attrs.field, 'data-fallback': node.attrs.fallback },
    `{${node.attrs.field}}`,
  ],
  renderText: ({ node }) => `{${node.attrs.field}}`,
  addCommands() {
    return {
      setMergeTag:
        (attrs) =>
        ({ commands }) =>
          commands.insertContent({ type: this.name, attrs }),
    }
  },
})

export const ButtonBlock = Node.create({
  name: 'button',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    label: { default: '', parseHTML: (element) => element.textContent ?? '', rendered: false },
    href: { default: '', parseHTML: (element) => element.dataset.href ?? '', rendered: false },
    align: {
      default: 'center',
      parseHTML: (element) => knownValue(buttonAligns, element.dataset.align) ?? 'center',
      rendered: false,
    },
  }),
  parseHTML: () => [{ tag: 'div[data-button]' }],
  renderHTML: ({ node }) => [
    'div',
    { 'data-button': '', 'data-href': node.attrs.href, 'data-align': node.attrs.align },
    ['span', {}, node.attrs.label],
  ],
  addCommands() {
    return {
      setButton:
        (attrs) =>
        ({ commands }) =>
          commands.insertContent({ type: this.name, attrs }),
    }
  },
})

export const Divider = Node.create({
  name: 'divider',
  group: 'block',
  atom: true,
  addAttributes: () => ({
    kind: {
      default: 'stars',
      parseHTML: (element) => knownValue(dividerKinds, element.dataset.divider) ?? 'stars',
      rendered: false,
    },
  }),
  parseHTML: () => [{ tag: 'div[data-divider]' }],
  renderHTML: ({ node }) => ['div', { 'data-divider': node.attrs.kind, role: 'separator' }],
  addCommands() {
    return {
      setDivider:
        (kind = 'stars') =>
        ({ commands }) =>
          commands.insertContent({ type: this.name, attrs: { kind } }),
    }
  },
})

export const Callout = Node.create({
  name: 'callout',
  group: 'block',
  content: 'block+',
  defining: true,
  addAttributes: () => ({
    tone: {
      default: 'note',
      parseHTML: (element) => knownValue(calloutTones, element.dataset.callout) ?? 'note',
      rendered: false,
    },
  }),
  parseHTML: () => [{ tag: 'aside[data-callout]' }],
  renderHTML: ({ HTMLAttributes, node }) => ['aside', { ...HTMLAttributes, 'data-callout': node.attrs.tone }, 0],
  addCommands() {
    return {
      toggleCallout:
        (tone = 'note') =>
        ({ commands }) =>
          commands.toggleWrap(this.name, { tone }),
    }
  },
})
