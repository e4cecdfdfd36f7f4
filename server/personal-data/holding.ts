import type { RawBuilder, SqlBool } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'

type Table = keyof DB & string
type Column<T extends Table> = keyof DB[T] & string

/** A subscriber whose data is erased or exported. */
export interface SubscriberSubject {
  newsletterId: string
  subscriberId: string
  email: string
  emailNormalised: string
}

/** Subscribers of one newsletter who are erased together. */
export interface ErasedSubscribers {
  newsletterId: string
  subscriberIds: string[]
  /** Their addresses as they were typed and as they are compared, in the order of their ids. */
  emails: string[]
  normalised: string[]
}

/** A user whose data is erased or exported. */
export interface UserSubject {
  userId: string
  email: string
}

interface Holding<Subject, Erased, T extends string, C extends string> {
  table: T
  /** The column that names the person, by their id where `find` says nothing else. */
  person: C
  /** SQL for the person's rows, where it is not `person = id`. Of a subscriber's, the newsletter is added to it. */
  find?: (subject: Subject) => RawBuilder<SqlBool>
  /** What the person is given when they ask for their data. Secrets are left out. */
  exported: readonly C[]
  /**
   * What erasing does: the rows go (`cascade`) or forget the person (`set null`) by their foreign key, or a function runs,
   * or the rows stay, for a reason.
   */
  erase: 'cascade' | 'set null' | ((tx: Db, erased: Erased) => Promise<unknown>) | { kept: string }
}

interface SubscriberHolding<T extends string = string, C extends string = string>
  extends Holding<SubscriberSubject, ErasedSubscribers, T, C> {
  /** True where no foreign key leads to the newsletter: its rows are deleted with it. */
  deletedWithNewsletter?: boolean
}

interface UserHolding<T extends string = string, C extends string = string>
  extends Holding<UserSubject, UserSubject, T, C> {
  /**
   * What happens to a guest's rows when the guest becomes a user: the column is set to the user (`move`), or a function
   * runs, or the rows go with the guest, for a reason.
   */
  merge: 'move' | ((tx: Db, guestId: string, userId: string) => Promise<unknown>) | { dropped: string }
}

export type { SubscriberHolding, UserHolding }

/** States what a table holds of a subscriber. */
export const heldOfSubscriber = <T extends Table>(holding: SubscriberHolding<T, Column<T>>): SubscriberHolding =>
  holding

/** States what a table holds of a user. */
export const heldOfUser = <T extends Table>(holding: UserHolding<T, Column<T>>): UserHolding => holding
