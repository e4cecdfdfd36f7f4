import type en from '../en/email.ts'

export default {} satisfies typeof en
