import type en from '../i18n/en.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
    returnNull: false
  }
}

declare global {
  /**
   * The sections of sentences that the owner app starts with, as `start`, and those that each page needs besides, by the name of its component.
   * The build finds them in the source (`scripts/studio-pages.ts`).
   */
  const sentencesOf: { readonly [page: string]: readonly string[] | undefined }
}
