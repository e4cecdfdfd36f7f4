/** A small breakage that a test must notice. */
export interface Mutant {
  /** In a few words, as `npm run mutants -- name` finds it. */
  name: string
  /** Where the promise that it breaks is made, and its words, which must still be there. */
  promise: { in: string; says: string }
  file: string
  /** Must occur exactly once in the file, so that the list cannot grow old unnoticed. */
  find: string
  replace: string
  /** The test files that are run, the likeliest first. */
  tests: string[]
  /** Whether these tests run the built server, which is then built anew. */
  built?: true
}
