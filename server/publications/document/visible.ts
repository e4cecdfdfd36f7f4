import { wholeMinutesFor, wordCount } from './document-text.ts'
import { type Gate, type Surface, surfaces } from './gate-nodes.ts'
import { knownValue } from './known-value.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'
import { filledIn, hidesFromPaid, isSlot, sponsorsIn } from './sponsor-slots.ts'

/** What a reader has paid for. */
export interface Access {
  /** The ids of their plans as of now; none of a stranger and of a free reader. */
  plans: ReadonlySet<number>
}

export const strangersAccess: Access = { plans: new Set() }

/** What a paywall tells of the part that it hides. */
export interface Cut {
  minutes: number
  pictures: number
  /** The plans that open it; empty: any. */
  plans: readonly number[]
}

/** What a reader may see of a document, without its gates. */
export interface View {
  document: PublicationDocument
  /** Null when no paywall hides anything. */
  cut: Cut | null
}

/** The place that a block is only for; null when it is read everywhere. */
const surfaceOf = ({ type, attrs }: DocumentNode): Surface | null =>
  type === 'onlyFor' ? (knownValue(surfaces, attrs?.for) ?? null) : null

/** The document without the blocks that are only for the other place. */
export const shownOn = (document: PublicationDocument, surface: Surface): PublicationDocument => ({
  ...document,
  content: (document.content ?? []).filter((node) => [null, surface].includes(surfaceOf(node))),
})

/**
 * A document as a reader may see it in one place, or in every place at once: cut at the first paywall that is shut for them, without
 * the blocks that are for others. The gates themselves are gone, and everything else is as it was.
 */
export function visibleTo(document: PublicationDocument, access: Access, surface: Surface | 'every'): View {
  const { content = [] } = surface === 'every' ? document : shownOn(document, surface)
  const end = content.findIndex((node) => node.type === 'paywall' && !isOpen(gateOf(node), access))
  const paywall = content[end]
  const before = paywall ? content.slice(0, end) : content
  return {
    document: { ...document, content: before.flatMap((node) => seen(node, access)) },
    cut: paywall ? cutOf(paywall, content.slice(end + 1)) : null,
  }
}

function seen(node: DocumentNode, access: Access): DocumentNode[] {
  if (node.type === 'paywall') return []
  if (isSlot(node)) return hidesFromPaid(node) && !isOpen('free', access) ? [] : sponsorsIn(node)
  if (node.type !== 'onlyFor') return [node]
  return surfaceOf(node) || isOpen(gateOf(node), access) ? (node.content ?? []) : []
}

function cutOf(paywall: DocumentNode, rest: DocumentNode[]): Cut {
  const gate = gateOf(paywall)
  return {
    minutes: wholeMinutesFor(wordCount({ type: 'doc', content: rest })),
    pictures: rest.reduce((sum, node) => sum + picturesIn(node), 0),
    plans: typeof gate === 'string' ? [] : gate,
  }
}

const picturesIn = (node: DocumentNode): number =>
  (node.type === 'image' ? 1 : 0) + (node.content ?? []).reduce((sum, child) => sum + picturesIn(child), 0)

/** Whether not everybody sees the same of a node. A slot that stayed empty shows nothing to anybody. */
export const isGate = (node: DocumentNode): boolean =>
  isSlot(node)
    ? hidesFromPaid(node) && filledIn(node)?.length !== 0
    : node.type === 'paywall' || (node.type === 'onlyFor' && !surfaceOf(node))

/** Whom a paywall or a block lets through. One that does not say it well is shut for all who have not paid. */
export function gateOf(node: DocumentNode): Gate {
  if (isSlot(node)) return 'free'
  const { type, attrs } = node
  const asked = type === 'paywall' ? attrs?.plans : attrs?.for
  if (asked === 'free') return 'free'
  const plans = Array.isArray(asked) ? asked.filter((id) => typeof id === 'number') : []
  return plans.length > 0 ? plans.sort((a, b) => a - b) : 'paid'
}

function isOpen(gate: Gate, { plans }: Access): boolean {
  if (gate === 'paid') return plans.size > 0
  if (gate === 'free') return plans.size === 0
  return gate.some((id) => plans.has(id))
}

/** The different gates of a document. Readers for whom the same ones are open see the same. */
export function gatesOf(document: PublicationDocument): Gate[] {
  const gated = (document.content ?? []).filter(isGate)
  return [...new Map(gated.map(gateOf).map((gate) => [String(gate), gate])).values()]
}

/** Names what a reader sees of a document with these gates; empty for every reader of one without gates. */
export const viewOf = (gates: readonly Gate[], access: Access): string =>
  gates.map((gate) => (isOpen(gate, access) ? '1' : '0')).join('')

/** No plan has this id. It is there where the gates name none, since whoever has paid has a plan. */
const SOME_PLAN = 0

/** As whom members look at a publication: who does not pay, who has every plan that its gates name, or who has one, by its id. */
export type Reader = 'free' | 'paid' | number

export const accessOf = (reader: Reader, gates: readonly Gate[]): Access => {
  if (reader === 'free') return strangersAccess
  return reader === 'paid' ? everyPlan(gates) : { plans: new Set([reader]) }
}

/** The access of a reader who has every plan that these gates name. */
export const everyPlan = (gates: readonly Gate[]): Access => ({
  plans: new Set([SOME_PLAN, ...gates.flatMap((gate) => (typeof gate === 'string' ? [] : gate))]),
})
