import type en from '../en/outbox.ts'

export default {} satisfies typeof en
