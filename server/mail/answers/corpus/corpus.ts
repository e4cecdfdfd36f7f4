import type { AnswerGroup } from './answer-group.ts'
import { contentAnswers } from './content.ts'
import { goneAnswers } from './gone.ts'
import { gone2Answers } from './gone-2.ts'
import { recipientAnswers } from './recipient.ts'
import { recipient2Answers } from './recipient-2.ts'
import { relayAnswers } from './relay.ts'
import { relay2Answers } from './relay-2.ts'
import { relay3Answers } from './relay-3.ts'
import { senderAnswers } from './sender.ts'
import { sender2Answers } from './sender-2.ts'
import { unknownAnswers } from './unknown.ts'

/** Answers of real servers and providers, by what they mean. */
export const corpus: readonly AnswerGroup[] = [
  ...goneAnswers,
  ...gone2Answers,
  ...recipientAnswers,
  ...recipient2Answers,
  ...senderAnswers,
  ...sender2Answers,
  ...relayAnswers,
  ...relay2Answers,
  ...relay3Answers,
  ...contentAnswers,
  ...unknownAnswers,
]
