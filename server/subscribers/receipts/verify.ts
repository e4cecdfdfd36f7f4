import { type Kysely, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { DB } from '../../database/types.ts'
import type { Signer } from '../../http/signing.ts'
import { type Checkpoint, checkpointMac, erasureMac } from './chain.ts'
import { leafOf, nextHash, startOfChain } from './leaf.ts'
import { factsOf, type StoredReceipt, storedReceipt } from './stored.ts'

const PAGE = 2_000
/** Faults of one newsletter that are named. All are counted. */
const NAMED = 20
/** How much later than its own time a receipt may reach the chain: a request or an import may be under way for so long. */
const LATE_MS = 3_600_000

/** What does not fit. `receipt` is an id, or null where the database no longer knows it. */
export interface Fault {
  kind: /** In the chain, and gone from the receipts, without an erasure by the program. */
    | 'removed'
    /** Not what it was when it was chained. */
    | 'altered'
    /** Dated before an earlier moment at which no receipt was waiting. */
    | 'put_in_later'
    /** Neither in the chain nor among those that wait. */
    | 'never_chained'
    /** A place in the chain is missing. `position` is the missing one. */
    | 'place_missing'
    /** The hash does not follow from the one before: places were altered, exchanged or put in. */
    | 'broken'
    /** The end of the chain is gone: a checkpoint names a place that does not exist. */
    | 'end_missing'
    /** The chain goes on after its last checkpoint. */
    | 'end_added'
    /** The checkpoint is not of this chain, or was not made with this instance's secret. */
    | 'checkpoint'
  position: number | null
  receipt: string | null
}

export interface Verified {
  newsletterId: string
  /** Places in the chain. */
  receipts: number
  /** Those of them whose subscriber was erased. */
  erased: number
  waiting: number
  faults: number
  /** The first of them. */
  named: Fault[]
}

interface Link {
  position: number
  receiptId: string | null
  leaf: Buffer
  hash: Buffer
  erasure: Buffer | null
}

/** A place of the chain with its receipt, where there is one. */
type Place = Link & (StoredReceipt | { receipt: null })

/**
 * Verifies the chain of a newsletter as it is at one moment, while others write. It reads in pages of 2,000, so a million
 * receipts take no more memory than a thousand.
 */
export function verifyChain(db: Kysely<DB>, signer: Signer, newsletterId: string): Promise<Verified> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => new Verification(tx, signer, newsletterId).run())
}

/** One walk along a chain. */
class Verification {
  readonly #result: Verified
  /** The last place that was verified. */
  #last = 0
  #hash: Buffer
  /** The last place with a checkpoint. */
  #attested = 0
  /** The newest moment at which nothing waited. */
  #drainedAt: Date | null = null

  constructor(
    private readonly tx: Db,
    private readonly signer: Signer,
    private readonly newsletterId: string,
  ) {
    this.#result = { newsletterId, receipts: 0, erased: 0, waiting: 0, faults: 0, named: [] }
    this.#hash = startOfChain(newsletterId)
  }

  async run(): Promise<Verified> {
    for (;;) {
      const places = await this.#selectPlaces()
      const full = places.length === PAGE
      const checkpoints = await this.#selectCheckpoints(full ? (places.at(-1)?.position ?? null) : null)
      for (const place of places) {
        this.#verifyPlace(place)
        const checkpoint = checkpoints.get(place.position)
        if (checkpoint) this.#verifyCheckpoint({ newsletterId: this.newsletterId, ...checkpoint }, checkpoint.mac)
      }
      if (full) continue
      const [missing] = [...checkpoints.keys()].filter((position) => position > this.#last)
      if (missing !== undefined) this.#fault('end_missing', missing)
      else if (this.#attested < this.#last) this.#fault('end_added', this.#attested + 1)
      await this.#verifyOthers()
      return this.#result
    }
  }

  #fault(kind: Fault['kind'], position: number | null, receipt: string | null = null): void {
    this.#result.faults += 1
    if (this.#result.named.length < NAMED) this.#result.named.push({ kind, position, receipt })
  }

  async #selectPlaces(): Promise<Place[]> {
    const { rows } = await sql<Place>`
      select r.position, r.receipt_id as "receiptId", r.leaf, r.hash, r.erasure, ${storedReceipt}
      from (
        select * from receipt_chain where newsletter_id = ${this.newsletterId} and position > ${this.#last}
        order by position limit ${PAGE}
      ) r
      left join consent c on c.newsletter_id = r.newsletter_id and c.id = r.receipt_id
      order by r.position`.execute(this.tx)
    return rows
  }

  async #selectCheckpoints(upTo: number | null) {
    const rows = await this.tx
      .selectFrom('receipt_checkpoint')
      .select(['position', 'hash', 'at', 'drained', 'mac'])
      .where('newsletter_id', '=', this.newsletterId)
      .where('position', '>', this.#last)
      .$if(upTo !== null, (query) => query.where('position', '<=', upTo))
      .orderBy('position')
      .limit(PAGE)
      .execute()
    return new Map(rows.map((row) => [row.position, row]))
  }

  #verifyPlace(place: Place): void {
    const { position, receiptId, leaf, hash, erasure } = place
    this.#result.receipts += 1
    if (position !== this.#last + 1) this.#fault('place_missing', this.#last + 1)
    else if (!nextHash(this.#hash, leaf).equals(hash)) this.#fault('broken', position, receiptId)
    // What follows a fault is verified by itself, so that one fault is named once.
    this.#last = position
    this.#hash = hash
    if (erasure) {
      this.#result.erased += 1
      if (!erasureMac(this.signer, this.newsletterId, place).equals(erasure)) this.#fault('removed', position)
    } else if (place.receipt === null) this.#fault('removed', position, receiptId)
    else this.#verifyReceipt(place)
  }

  #verifyReceipt(place: Link & StoredReceipt): void {
    const { salt, facts } = factsOf(place)
    if (!leafOf(salt, facts).equals(place.leaf)) this.#fault('altered', place.position, facts.receipt)
    else if (Date.parse(facts.at) + LATE_MS < (this.#drainedAt?.getTime() ?? 0))
      this.#fault('put_in_later', place.position, facts.receipt)
  }

  #verifyCheckpoint(checkpoint: Checkpoint, mac: Buffer): void {
    this.#attested = checkpoint.position
    const genuine = checkpoint.hash.equals(this.#hash) && checkpointMac(this.signer, checkpoint).equals(mac)
    if (!genuine) this.#fault('checkpoint', checkpoint.position)
    else if (checkpoint.drained) this.#drainedAt = checkpoint.at
  }

  /** Receipts that are not in the chain: those that wait, and those that should be in it. */
  async #verifyOthers(): Promise<void> {
    const { rows } = await sql<{ id: string; waits: boolean; waiting: number; faults: number }>`
      with others as (
        select c.id, u.receipt_id is not null as waits, c.at from consent c
        left join unchained_receipt u on u.newsletter_id = c.newsletter_id and u.receipt_id = c.id
        where c.newsletter_id = ${this.newsletterId} and not exists (select from receipt_chain r
          where r.newsletter_id = c.newsletter_id and r.receipt_id = c.id)
      ),
      wrong as (
        select id, waits from others where not waits
          or at < ${this.#drainedAt}::timestamptz - ${LATE_MS} * interval '1 millisecond'
      )
      select w.id, w.waits, (select count(*) from others where waits) as waiting, (select count(*) from wrong) as faults
      from (values (1)) one (n) left join (select * from wrong order by id limit ${NAMED}) w on true`.execute(this.tx)
    const [first] = rows
    for (const { id, waits } of rows) if (id) this.#fault(waits ? 'put_in_later' : 'never_chained', null, id)
    this.#result.waiting = first?.waiting ?? 0
    this.#result.faults += Math.max(0, (first?.faults ?? 0) - NAMED)
  }
}
