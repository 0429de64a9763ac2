import { english, type Message } from '../../base/messages/message.ts';

/**
 * Why a file is no map package that can be shown, as one sentence for the operator. Thrown while a
 * file is looked at and caught where the looking ends (inspect.ts); it crosses no other boundary.
 */
export class MapRefusal extends Error {
  override readonly name = 'MapRefusal';
  readonly said: Message;

  constructor(said: Message, options?: ErrorOptions) {
    super(english(said), options);
    this.said = said;
  }
}
