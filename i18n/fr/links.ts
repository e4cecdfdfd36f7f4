import type en from '../en/links.ts'

export default {} satisfies typeof en
