/** What a call costs whoever makes it. */
interface Price {
  /** For one person over all their newsletters. All API keys of a newsletter together may do twice as much. */
  anHour: number
  /** For a guest. */
  guestAnHour: number
  /** For one person; a guest has one. More wait. */
  atOnce: number
  /** For everybody in one process. More wait. */
  inProcess: number
}

/** Every kind of call that costs noticeably. An endpoint names its own (`cost: 'preview'`). docs/operating.md has the same table; a test compares them. */
export const costs = {
  /** The editor asks at most once in 700 ms while somebody types. */
  preview: { anHour: 6_000, guestAnHour: 1_500, atOnce: 2, inProcess: 4 },
  /** The editor saves at most once a second. */
  write: { anHour: 7_200, guestAnHour: 3_600, atOnce: 2, inProcess: 6 },
  check: { anHour: 1_200, guestAnHour: 300, atOnce: 2, inProcess: 4 },
  history: { anHour: 1_200, guestAnHour: 300, atOnce: 2, inProcess: 4 },
  /** A search asks at most four times a second, and four pages of deliveries are read again every four seconds. */
  search: { anHour: 14_400, guestAnHour: 3_600, atOnce: 4, inProcess: 12 },
  /** Many subscribers are chosen, which reads all of them; a job does the rest. */
  bulk: { anHour: 120, guestAnHour: 20, atOnce: 1, inProcess: 2 },
  export: { anHour: 60, guestAnHour: 6, atOnce: 1, inProcess: 6 },
  /** A file of 500 MB has 125 parts. */
  import: { anHour: 1_200, guestAnHour: 60, atOnce: 2, inProcess: 8 },
  dns: { anHour: 120, guestAnHour: 30, atOnce: 2, inProcess: 20 },
  /** Each asks many servers of others. */
  links: { anHour: 60, guestAnHour: 6, atOnce: 1, inProcess: 12 },
  /** Each makes an RSA key. */
  keys: { anHour: 40, guestAnHour: 5, atOnce: 1, inProcess: 2 },
  mail: { anHour: 60, guestAnHour: 10, atOnce: 2, inProcess: 20 },
  image: { anHour: 600, guestAnHour: 60, atOnce: 4, inProcess: 40 },
} as const satisfies Record<string, Price>

export type Cost = keyof typeof costs
