import type en from '../en/publish.ts'

export default {} satisfies typeof en
