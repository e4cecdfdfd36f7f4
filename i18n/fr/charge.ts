import type en from '../en/charge.ts'

export default {} satisfies typeof en
