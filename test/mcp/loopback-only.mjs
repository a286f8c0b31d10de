import { Server } from 'node:net';

/*
 * Loaded before a server that would listen on every address: it listens on loopback, at a free port, which it writes to
 * stderr.
 */

const listen = Server.prototype.listen;
Server.prototype.listen = function listenOnLoopback(_port, ...rest) {
  const callback = rest.find((part) => typeof part === 'function');
  this.once('listening', () => process.stderr.write(`\nPORT=${this.address().port}\n`));
  return listen.call(this, { port: 0, host: '127.0.0.1' }, callback);
};
