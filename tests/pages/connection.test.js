// The connection to a table: it resumes where it stopped, and no command is lost or done twice.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CommandRefused, Connection } from "../../src/holecard/server/pages/core/connection.js";

/** A socket that a test answers for. */
class FakeSocket {
  readyState = 0;
  /** @type {any[]} */
  sent = [];

  constructor(address) {
    this.address = address;
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }

  open() {
    this.readyState = 1;
    this.onopen();
  }

  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  fail(code = 1006) {
    this.readyState = 3;
    this.onclose({ code, reason: "" });
  }
}

function connected() {
  const sockets = [];
  const heard = { frames: [], states: [], balances: [] };
  const listener = {
    hello: () => {},
    frame: (frame) => heard.frames.push(frame.number),
    balance: (cents) => heard.balances.push(cents),
    state: (state) => heard.states.push(state),
  };
  const make = (address) => {
    const socket = new FakeSocket(address);
    sockets.push(socket);
    return socket;
  };
  const connection = new Connection("t/1", listener, make);
  connection.open();
  sockets[0].open();
  return { connection, sockets, heard };
}

const commands = (socket) => socket.sent.filter((message) => message.type === "command");

test("a command is answered once, by its id", async () => {
  const { connection, sockets } = connected();
  const answer = connection.send({ do: "sit", seat: 1 });
  const [{ id, command }] = commands(sockets[0]);
  assert.deepEqual(command, { do: "sit", seat: 1 });
  sockets[0].say({ type: "done", id, number: 7, table: "t" });
  assert.equal((await answer).number, 7);
  connection.end();
});

test("a refusal says why", async () => {
  const { connection, sockets } = connected();
  const answer = connection.send({ do: "deal" });
  sockets[0].say({ type: "refused", id: commands(sockets[0])[0].id, code: "out of turn", message: "wait" });
  await assert.rejects(answer, (error) => error instanceof CommandRefused && error.code === "out of turn" && error.message === "wait");
  connection.end();
});

test("after a dropped connection it asks for what it missed and sends what has no answer, with the same id", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { connection, sockets, heard } = connected();
  assert.ok(sockets[0].address.endsWith("/api/v1/tables/t%2F1/socket"));
  sockets[0].say({ type: "snapshot", number: 12, view: {} });
  void connection.send({ do: "deal" });
  const [{ id }] = commands(sockets[0]);
  sockets[0].fail();
  assert.equal(heard.states.at(-1), "lost");
  context.mock.timers.tick(5_000);
  assert.equal(sockets.length, 2);
  assert.ok(sockets[1].address.endsWith("?after=12"));
  sockets[1].open();
  assert.deepEqual(commands(sockets[1]).map((message) => message.id), [id]);
  sockets[1].say({ type: "done", id, number: 13, table: "t" });
  sockets[1].fail();
  context.mock.timers.tick(5_000);
  sockets[2].open();
  assert.deepEqual(commands(sockets[2]), []);
  connection.end();
});

test("a command given while there is no connection is sent when there is one", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { connection, sockets } = connected();
  sockets[0].fail();
  void connection.send({ do: "deal" });
  context.mock.timers.tick(5_000);
  sockets.at(-1).open();
  assert.equal(commands(sockets.at(-1)).length, 1);
  connection.end();
});

test("a server that does not know whether it stored a command is asked again", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { connection, sockets } = connected();
  void connection.send({ do: "deal" });
  const [{ id }] = commands(sockets[0]);
  sockets[0].say({ type: "refused", id, code: "unavailable", message: "later" });
  context.mock.timers.tick(5_000);
  assert.deepEqual(commands(sockets[0]).map((message) => message.id), [id, id]);
  connection.end();
});

test("a silent connection is tested, and replaced if nothing comes back", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { connection, sockets, heard } = connected();
  context.mock.timers.tick(8_000);
  assert.deepEqual(sockets[0].sent.at(-1), { type: "ping" });
  context.mock.timers.tick(1);
  sockets[0].say({ type: "pong" });
  context.mock.timers.tick(4_000);
  assert.equal(sockets.length, 1);
  context.mock.timers.tick(8_001);
  context.mock.timers.tick(4_001);
  assert.equal(heard.states.at(-1), "lost");
  context.mock.timers.tick(1_000);
  assert.equal(sockets.length, 2);
  connection.end();
});

test("a table that may not be watched is not tried again", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { sockets, heard } = connected();
  sockets[0].fail(4000);
  assert.equal(heard.states.at(-1), "ended");
  context.mock.timers.tick(60_000);
  assert.equal(sockets.length, 1);
});

test("entries and balances are passed on in order", () => {
  const { connection, sockets, heard } = connected();
  for (const number of [3, 4, 5]) sockets[0].say({ type: "entry", number, view: {}, events: [], entry: {} });
  sockets[0].say({ type: "balance", cents: 99_000 });
  assert.deepEqual(heard.frames, [3, 4, 5]);
  assert.deepEqual(heard.balances, [99_000]);
  connection.end();
});

