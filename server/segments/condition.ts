import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Condition, Filter } from './filter/contract.ts'

type Sql = RawBuilder<SqlBool>
type On<C extends Condition['on']> = Extract<Condition, { on: C }>

export interface Setting {
  newsletterId: string
  /** The moment from which `within` and `longer_ago` count back. */
  asOf: RawBuilder<Date>
  /**
   * How many subscribers are asked about. Of `few`, each one's own deeds are looked up; else PostgreSQL may read once all that everybody
   * did. Both find the same.
   */
  asked?: 'few' | 'many'
}

/**
 * SQL that is true for a subscriber `s` of the newsletter who fits a filter. It is null for some who do not, which counts as
 * false wherever it is used; `not` counts it so too. Every value is a parameter.
 *
 * Nobody fits a filter that asks about opens or clicks which the newsletter does not keep of each person: whoever *did not* click
 * would otherwise be everybody.
 *
 * Two texts are the same when the database's `lower` makes them the same. A day is one of the newsletter's timezone as it is
 * when the SQL runs.
 */
export function conditionOf(filter: Filter, setting: Setting): Sql {
  const kinds = new Set(conditionsIn(filter).flatMap(({ on }) => behaviourKept.get(on) ?? []))
  const kept = [...kinds].map(
    (column) => sql`(select n.${sql.ref(column)} = 'person' from newsletter n where n.id = ${setting.newsletterId})`,
  )
  return sql`(${sql.join([...kept, nodeOf(filter, setting)], sql` and `)})`
}

/** By the subject of a condition, the newsletter's column that says whether what it asks about is kept of each person. */
export const behaviourKept: ReadonlyMap<Condition['on'], 'click_privacy' | 'open_privacy'> = new Map([
  ['opened', 'open_privacy'],
  ['clicked', 'click_privacy'],
  ['link', 'click_privacy'],
])

function nodeOf(filter: Filter, setting: Setting): Sql {
  if ('all' in filter) return joined(filter.all, { setting, by: sql` and ` })
  if ('any' in filter) return joined(filter.any, { setting, by: sql` or ` })
  if ('not' in filter) return sql`(${joined(filter.not, { setting, by: sql` or ` })} is not true)`
  return single(filter, setting)
}

const joined = (filters: Filter[], { setting, by }: { setting: Setting; by: RawBuilder<unknown> }): Sql =>
  sql`(${sql.join(
    filters.map((filter) => nodeOf(filter, setting)),
    by,
  )})`

function single(condition: Condition, setting: Setting): Sql {
  switch (condition.on) {
    case 'email':
    case 'name':
    case 'source':
      if (!('value' in condition)) return isPresent(sql`s.name`, condition.op)
      return condition.on === 'source'
        ? comparesText(sql`s.source`, condition)
        : comparesSearched(sql.ref(`s.${condition.on}`), condition)
    case 'language':
    case 'pace':
    case 'status':
      return condition.op === 'is'
        ? sql`s.${sql.ref(condition.on)} = ${condition.value}`
        : sql`s.${sql.ref(condition.on)} <> ${condition.value}`
    case 'tag':
      return unless(
        condition.op === 'has_not',
        exists(
          setting,
          sql`subscriber_tag t where t.newsletter_id = ${setting.newsletterId}
            and t.tag_id = ${condition.tag} and t.subscriber_id = s.id`,
        ),
      )
    case 'plan':
      return unless(condition.op === 'has_not', hasPlan(condition, setting))
    case 'field':
      return ofField(condition)
    case 'joined':
      return joinedAt(condition, setting)
    case 'link':
      return unless(condition.op === 'did_not', clickedWhere(setting, sql`c.short_link_id = ${condition.link}`))
    case 'campaign':
      return unless(condition.op === 'did_not', saidYes(condition, setting))
    default:
      return unless(
        condition.op === 'did_not',
        'days' in condition ? didWithin(condition, setting) : didWith(condition, setting),
      )
  }
}

/** Ended at the setting's moment means ended: who has a plan when a sending begins has it for all of that sending. */
const hasPlan = ({ plan }: On<'plan'>, setting: Setting): Sql =>
  exists(
    setting,
    sql`entitlement e where e.newsletter_id = ${setting.newsletterId} and e.subscriber_id = s.id
      and e.until > ${setting.asOf}${plan === 'any' ? sql`` : sql` and e.plan_id = ${plan}`}`,
  )

/** A yes that was taken back is none. */
const saidYes = ({ campaign }: On<'campaign'>, setting: Setting): Sql =>
  exists(
    setting,
    sql`opt_in y where y.newsletter_id = ${setting.newsletterId} and y.campaign_id = ${campaign}
      and y.subscriber_id = s.id and y.undone_at is null`,
  )

/** Whether there is a row. PostgreSQL makes no list of all rows where it must keep an offset. */
const exists = ({ asked }: Setting, rows: RawBuilder<unknown>): Sql =>
  sql`exists (select from ${rows}${asked === 'few' ? sql` offset 0` : sql``})`

/** The opposite of a condition that is never null. */
const unless = (opposite: boolean, condition: Sql): Sql => (opposite ? sql`not ${condition}` : condition)

interface TextTest {
  op: 'is' | 'is_not' | 'contains' | 'contains_not' | 'begins'
  value: string
}

/** `like` takes these letters for others. */
const escaped = (value: string): string => value.replaceAll(/[\\%_]/g, '\\$&')

/** The index `subscriber_search` knows every three that follow one another. Of other letters it is not certain. */
const INDEXED = /[a-z0-9]{3}/i

/** What `folded` may change: all but the letters of ASCII, which it keeps beside one another. */
const FOLDED = /[^ -~]+/g

/**
 * Whoever has a text in their address or name has its ASCII letters, in their order, in the words by which they are searched too. So the
 * index leads to the few who may fit, and the condition itself is asked of them alone.
 */
function comparesSearched(text: RawBuilder<unknown>, test: TextTest): Sql {
  const { op, value } = test
  const exact = comparesText(text, test)
  if (op === 'is_not' || op === 'contains_not' || !INDEXED.test(value)) return exact
  return sql`(subscriber_words(s.email, s.email_normalised, s.name) like lower(${`%${escaped(value).replaceAll(FOLDED, '%')}%`}) and ${exact})`
}

function comparesText(text: RawBuilder<unknown>, { op, value }: TextTest): Sql {
  const pattern = escaped(value)
  switch (op) {
    case 'is':
      return sql`lower(${text}) = lower(${value}::text)`
    case 'is_not':
      return sql`lower(${text}) is distinct from lower(${value}::text)`
    case 'contains':
      return sql`lower(${text}) like lower(${`%${pattern}%`}::text)`
    case 'contains_not':
      return sql`(lower(${text}) like lower(${`%${pattern}%`}::text) is not true)`
    case 'begins':
      return sql`lower(${text}) like lower(${`${pattern}%`}::text)`
  }
}

/** An empty text is no value. */
const isPresent = (text: RawBuilder<unknown>, op: 'empty' | 'filled'): Sql =>
  op === 'empty' ? sql`coalesce(${text}, '') = ''` : sql`coalesce(${text}, '') <> ''`

/** The type that JSON has for a value of each kind. */
const jsonTypes = { text: 'string', choice: 'string', date: 'string', number: 'number', yes_no: 'boolean' } as const

/** Values of another kind than the condition's are none: the field was deleted, and made anew as something else. */
function ofField(condition: On<'field'>): Sql {
  const { field, kind } = condition
  const text = sql`case when jsonb_typeof(s.fields -> ${field}::text) = ${jsonTypes[kind]}
    then s.fields ->> ${field}::text end`
  if (!hasOperand(condition)) return isPresent(text, condition.op)
  switch (condition.kind) {
    case 'text':
    case 'choice':
      return comparesText(text, condition)
    case 'yes_no':
      return sql`(${text}) = ${String(condition.value)}`
    case 'date':
      return comparesDay(sql`(${text})`, condition)
    case 'number':
      return comparesNumber(sql`(${text})::numeric`, condition)
  }
}

type Presence = Extract<On<'field'>, { op: 'empty' | 'filled' }>
const hasOperand = (condition: On<'field'>): condition is Exclude<On<'field'>, Presence> =>
  condition.op !== 'empty' && condition.op !== 'filled'

function comparesNumber(number: RawBuilder<unknown>, condition: Extract<On<'field'>, { kind: 'number' }>): Sql {
  switch (condition.op) {
    case 'is':
      return sql`${number} = ${condition.value}::numeric`
    case 'is_not':
      return sql`${number} is distinct from ${condition.value}::numeric`
    case 'less':
      return sql`${number} < ${condition.value}::numeric`
    case 'more':
      return sql`${number} > ${condition.value}::numeric`
    case 'between':
      return sql`${number} between ${condition.from}::numeric and ${condition.to}::numeric`
  }
}

type DayTest = { op: 'is' | 'before' | 'after'; value: string } | { op: 'between'; from: string; to: string }

/** Days are written YYYY-MM-DD, so that they are in the order of their letters. */
function comparesDay(day: RawBuilder<unknown>, test: DayTest): Sql {
  const text = sql`${day} collate "C"`
  switch (test.op) {
    case 'is':
      return sql`${text} = ${test.value}::text`
    case 'before':
      return sql`${text} < ${test.value}::text`
    case 'after':
      return sql`${text} > ${test.value}::text`
    case 'between':
      return sql`${text} between ${test.from}::text and ${test.to}::text`
  }
}

/** Who has not confirmed joined when they asked to. */
function joinedAt(condition: On<'joined'>, { newsletterId, asOf }: Setting): Sql {
  const at = sql`coalesce(s.confirmed_at, s.created_at)`
  if ('days' in condition) {
    const since = sql`${asOf} - ${condition.days} * interval '24 hours'`
    return condition.op === 'within' ? sql`${at} > ${since}` : sql`${at} <= ${since}`
  }
  const timezone = sql`(select n.timezone from newsletter n where n.id = ${newsletterId})`
  return comparesDay(sql`to_char(${at} at time zone ${timezone}, 'YYYY-MM-DD')`, condition)
}

type Behaviour = On<'received' | 'opened' | 'clicked'>

/** What somebody did with one publication. */
function didWith({ on, publication }: Extract<Behaviour, { publication: string }>, setting: Setting): Sql {
  const { newsletterId } = setting
  if (on === 'clicked')
    return exists(
      setting,
      sql`publication_clicker c where c.newsletter_id = ${newsletterId} and c.publication_id = ${publication}
        and c.subscriber_id = s.id`,
    )
  const what = on === 'received' ? sql`d.state = 'accepted'` : sql`d.opened_at is not null`
  return exists(
    setting,
    sql`delivery d where d.newsletter_id = ${newsletterId}
      and d.publication_id = ${publication} and d.subscriber_id = s.id and ${what}`,
  )
}

/** What somebody did with any publication within so many days. */
function didWithin({ on, days }: Extract<Behaviour, { days: number }>, setting: Setting): Sql {
  const { newsletterId, asOf } = setting
  const since = sql`${asOf} - ${days} * interval '24 hours'`
  switch (on) {
    case 'clicked':
      return clickedWhere(setting, sql`c.at > ${since}`)
    case 'opened':
      return exists(
        setting,
        sql`event e where e.newsletter_id = ${newsletterId} and e.subscriber_id = s.id
          and e.kind = 'opened' and e.at > ${since}`,
      )
    case 'received':
      // By way of the sendings, because deliveries have no index by subscriber.
      return exists(
        setting,
        sql`sending x
          join delivery d on d.newsletter_id = x.newsletter_id and d.publication_id = x.publication_id and d.sending_id = x.id
          where x.newsletter_id = ${newsletterId} and x.started_at > ${since} and d.subscriber_id = s.id and d.state = 'accepted'`,
      )
  }
}

const clickedWhere = (setting: Setting, what: RawBuilder<unknown>): Sql =>
  exists(
    setting,
    sql`click c where c.newsletter_id = ${setting.newsletterId} and c.subscriber_id = s.id
      and c.excluded_by is null and ${what}`,
  )

/** Every condition of a filter, in the order in which they are read. */
export function conditionsIn(filter: Filter): Condition[] {
  if ('all' in filter) return filter.all.flatMap(conditionsIn)
  if ('any' in filter) return filter.any.flatMap(conditionsIn)
  return 'not' in filter ? filter.not.flatMap(conditionsIn) : [filter]
}
