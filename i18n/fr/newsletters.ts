import type en from '../en/newsletters.ts'

export default {} satisfies typeof en
