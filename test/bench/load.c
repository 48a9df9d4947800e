/* The load generator of the benchmark: one thread, epoll, HTTP/1.1 keep-alive, to 127.0.0.1 alone.
 *
 *   load http  port= connections= request=FILE status= [seconds=] [count=] [warm=] [start=]
 *   load watch port= watchers= watch=FILE [writers= writes= rate= request=FILE status= start=]
 *
 * In a request, runs of byte 1 become the decimal digits of the request's number, runs of byte 2 those of the
 * time in nanoseconds. A watcher looks for "bench/t":"<time>.<number>" in what it reads. One line of JSON at the end;
 * `watch` prints "ready" when every watch stands, and without writes holds them until standard input ends. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CARRY 64
#define BUFFER (1 << 20)
#define HEAD 8192
#define MAX_SAMPLES 8000000
#define STALL_NS 10000000000ull

typedef struct {
  int fd, is_watch, in_body, busy, head_length;
  uint64_t sent, due, left;
  uint64_t events, sum;
  int carry_length;
  char carry[CARRY];
  char *head;
} Conn;

static const char *arguments[32];
static int argument_count;
static char buffer[CARRY + BUFFER];
static uint32_t *samples;
static uint64_t sample_count, errors, bytes_read, finished, answered, issued, closed_watches, delivered;
static uint64_t last_receipt;
static char *template, *scratch;
static size_t template_length;
static int expected_status = 200;
static uint64_t first_number;

static void die(const char *what) {
  fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static const char *text(const char *name) {
  size_t length = strlen(name);
  for (int i = 0; i < argument_count; i++)
    if (!strncmp(arguments[i], name, length) && arguments[i][length] == '=')
      return arguments[i] + length + 1;
  return NULL;
}

static double number(const char *name, double otherwise) {
  const char *found = text(name);
  return found ? atof(found) : otherwise;
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = path ? fopen(path, "rb") : NULL;
  if (!file) die("request file");
  char *content = malloc(1 << 20);
  *length = fread(content, 1, 1 << 20, file);
  fclose(file);
  return content;
}

static void fill(char *text, size_t length, char mark, uint64_t value) {
  for (size_t at = 0; at < length; at++) {
    if (text[at] != mark) continue;
    size_t end = at;
    while (end < length && text[end] == mark) end++;
    uint64_t rest = value;
    for (size_t digit = end; digit > at; digit--, rest /= 10) text[digit - 1] = (char)('0' + rest % 10);
    at = end;
  }
}

static int connect_to(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) die("connect");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

static void send_all(int fd, const char *content, size_t length) {
  while (length > 0) {
    ssize_t sent = write(fd, content, length);
    if (sent < 0 && errno == EAGAIN) {
      struct pollfd wait = {.fd = fd, .events = POLLOUT};
      poll(&wait, 1, 1000);
      continue;
    }
    if (sent < 0) die("write");
    content += sent;
    length -= (size_t)sent;
  }
}

/* `due` is when the request should have gone: a late one is not measured as if it had been on time. */
static void issue(Conn *conn, uint64_t due) {
  memcpy(scratch, template, template_length);
  fill(scratch, template_length, 1, first_number + issued++);
  fill(scratch, template_length, 2, due);
  conn->busy = 1;
  conn->in_body = conn->head_length = 0;
  conn->due = due;
  conn->sent = now();
  send_all(conn->fd, scratch, template_length);
}

static void sample(uint64_t nanoseconds) {
  if (sample_count < MAX_SAMPLES) samples[sample_count++] = (uint32_t)(nanoseconds / 1000);
}

/* Takes up to `length` bytes of the head; gives how many, and sets in_body when the head is complete. */
static int take_head(Conn *conn, const char *from, int length) {
  int before = conn->head_length;
  int room = HEAD - 1 - before;
  int taken = length < room ? length : room;
  memcpy(conn->head + before, from, (size_t)taken);
  conn->head_length += taken;
  conn->head[conn->head_length] = 0;
  char *end = strstr(conn->head, "\r\n\r\n");
  if (!end) return taken;
  int head_end = (int)(end - conn->head) + 4;
  conn->head[head_end] = 0;
  conn->head_length = head_end;
  conn->in_body = 1;
  char *announced = strcasestr(conn->head, "\r\ncontent-length:");
  conn->left = announced ? strtoull(announced + 17, NULL, 10) : 0;
  if (atoi(conn->head + 9) != (conn->is_watch ? 200 : expected_status)) {
    if (errors++ == 0) fprintf(stderr, "load: unexpected answer: %s%.*s\n", conn->head, 600, from + (head_end - before));
  }
  return head_end - before;
}

/* Feeds an answer; 1: it is complete. */
static int take_answer(Conn *conn, const char *from, int length) {
  if (!conn->in_body) {
    int taken = take_head(conn, from, length);
    length -= taken;
    if (!conn->in_body) return 0;
  }
  conn->left -= (uint64_t)length < conn->left ? (uint64_t)length : conn->left;
  if (conn->left > 0) return 0;
  conn->busy = 0;
  finished++;
  answered++;
  return 1;
}

static const char mark[] = "\"bench/t\":\"";
#define MARK (sizeof mark - 1)
#define FOUND (MARK + 30) /* 19 digits, a dot, 10 digits */

static uint64_t digits(const char *from, int count) {
  uint64_t value = 0;
  while (count-- > 0) value = value * 10 + (uint64_t)(*from++ - '0');
  return value;
}

static void scan_events(Conn *conn, char *from, int length) {
  from -= conn->carry_length;
  length += conn->carry_length;
  memcpy(from, conn->carry, (size_t)conn->carry_length);
  char *at = from, *end = from + length, *found;
  uint64_t time = now();
  while ((found = memmem(at, (size_t)(end - at), mark, MARK)) && found + FOUND <= end) {
    sample(time - digits(found + MARK, 19));
    conn->events++;
    conn->sum += digits(found + MARK + 20, 10);
    delivered++;
    last_receipt = time;
    at = found + FOUND;
  }
  int rest = (int)(end - at);
  conn->carry_length = rest < CARRY ? rest : CARRY;
  memcpy(conn->carry, end - conn->carry_length, (size_t)conn->carry_length);
}

static int read_some(Conn *conn) {
  ssize_t got = read(conn->fd, buffer + CARRY, BUFFER);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got <= 0) return -1;
  bytes_read += (uint64_t)got;
  return (int)got;
}

static Conn *open_connections(int count, int port, int epoll, int is_watch) {
  Conn *conns = calloc((size_t)count, sizeof(Conn));
  for (int i = 0; i < count; i++) {
    conns[i].fd = connect_to(port);
    conns[i].is_watch = is_watch;
    conns[i].head = malloc(HEAD);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &conns[i]};
    epoll_ctl(epoll, EPOLL_CTL_ADD, conns[i].fd, &event);
  }
  return conns;
}

static int by_value(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static double percentile(double share) {
  if (sample_count == 0) return 0;
  uint64_t at = (uint64_t)(share * (double)(sample_count - 1));
  return samples[at] / 1000.0;
}

static void print_result(double seconds, uint64_t events, int complete) {
  qsort(samples, sample_count, sizeof *samples, by_value);
  printf("{\"requests\":%llu,\"answered\":%llu,\"errors\":%llu,\"seconds\":%.6f,\"bytes\":%llu,\"p50Ms\":%.3f,\"p99Ms\":%.3f,"
         "\"maxMs\":%.3f,\"events\":%llu,\"complete\":%s,\"closed\":%llu}\n",
         (unsigned long long)finished, (unsigned long long)answered, (unsigned long long)errors, seconds, (unsigned long long)bytes_read,
         percentile(0.5), percentile(0.99), percentile(1), (unsigned long long)events, complete ? "true" : "false",
         (unsigned long long)closed_watches);
}

static void run_http(int epoll, int port) {
  int count = (int)number("connections", 1);
  double limit = number("count", 0), seconds = number("seconds", 0), warm = number("warm", 0);
  Conn *conns = open_connections(count, port, epoll, 0);
  uint64_t began = now();
  uint64_t measured_from = began + (uint64_t)(warm * 1e9);
  uint64_t deadline = seconds > 0 ? measured_from + (uint64_t)(seconds * 1e9) : UINT64_MAX;
  int open = 0;
  for (int i = 0; i < count && (limit == 0 || issued < limit); i++, open++) issue(&conns[i], now());
  uint64_t end = began;
  struct epoll_event ready[256];
  while (open > 0) {
    int found = epoll_wait(epoll, ready, 256, 30000);
    if (found <= 0) die("no answer for 30 s");
    for (int i = 0; i < found; i++) {
      Conn *conn = ready[i].data.ptr;
      int got = read_some(conn);
      if (got < 0) die("connection closed");
      if (got == 0 || !take_answer(conn, buffer + CARRY, got)) continue;
      uint64_t time = now();
      if (time < measured_from) finished = bytes_read = 0;
      else if (time <= deadline) sample(time - conn->sent), end = time;
      else finished--;
      if (time < deadline && (limit == 0 || issued < limit)) issue(conn, now());
      else open--;
    }
  }
  print_result((double)(end - measured_from) / 1e9, 0, 1);
}

static void await_watches(int epoll, Conn *watchers, int count) {
  size_t length;
  char *request = read_file(text("watch"), &length);
  struct epoll_event ready[256];
  int standing = 0;
  for (int from = 0; from < count; from += 50) {
    int to = from + 50 < count ? from + 50 : count;
    for (int i = from; i < to; i++) send_all(watchers[i].fd, request, length);
    while (standing < to) {
      int found = epoll_wait(epoll, ready, 256, 30000);
      if (found <= 0) die("watches do not stand after 30 s");
      for (int i = 0; i < found; i++) {
        Conn *conn = ready[i].data.ptr;
        int got = read_some(conn);
        if (got < 0) die("watch closed");
        if (got == 0 || conn->in_body) continue;
        take_head(conn, buffer + CARRY, got);
        standing += conn->in_body;
      }
    }
  }
  if (errors) exit(1);
}

/* Every watcher has each write once. */
static int is_complete(const Conn *watchers, int count, uint64_t writes) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < writes; i++) sum += first_number + i;
  for (int i = 0; i < count; i++)
    if (watchers[i].events != writes || watchers[i].sum != sum) return 0;
  return 1;
}

static void pace(Conn *writers, int count, uint64_t began, double rate, uint64_t writes) {
  for (int i = 0; i < count && issued < writes; i++) {
    if (writers[i].busy) continue;
    uint64_t time = now();
    uint64_t due = rate > 0 ? began + (uint64_t)((double)issued * 1e9 / rate) : time;
    if (due > time) return;
    issue(&writers[i], due);
  }
}

static void run_watch(int epoll, int port) {
  int watcher_count = (int)number("watchers", 1), writer_count = (int)number("writers", 1);
  uint64_t writes = (uint64_t)number("writes", 0);
  double rate = number("rate", 0);
  Conn *watchers = open_connections(watcher_count, port, epoll, 1);
  await_watches(epoll, watchers, watcher_count);
  printf("ready\n");
  fflush(stdout);
  if (writes == 0) {
    while (getchar() != EOF) continue;
    return;
  }
  Conn *writers = open_connections(writer_count, port, epoll, 0);
  uint64_t began = now(), expected = writes * (uint64_t)watcher_count, progress = began;
  struct epoll_event ready[256];
  while (delivered < expected || finished < writes) {
    pace(writers, writer_count, began, rate, writes);
    int found = epoll_wait(epoll, ready, 256, rate > 0 ? 1 : 100);
    for (int i = 0; i < found; i++) {
      Conn *conn = ready[i].data.ptr;
      int got = read_some(conn);
      if (got < 0 && !conn->is_watch) die("writer closed");
      if (got < 0) closed_watches++, close(conn->fd);
      if (got <= 0) continue;
      progress = now();
      if (conn->is_watch) scan_events(conn, buffer + CARRY, got);
      else take_answer(conn, buffer + CARRY, got);
    }
    if (now() - progress > STALL_NS) break;
  }
  print_result((double)(last_receipt - began) / 1e9, delivered, is_complete(watchers, watcher_count, writes));
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  for (int i = 2; i < argc && argument_count < 32; i++) arguments[argument_count++] = argv[i];
  samples = malloc(MAX_SAMPLES * sizeof *samples);
  expected_status = (int)number("status", 200);
  first_number = (uint64_t)number("start", 0);
  if (text("request")) {
    template = read_file(text("request"), &template_length);
    scratch = malloc(template_length);
  }
  int epoll = epoll_create1(EPOLL_CLOEXEC), port = (int)number("port", 0);
  if (!strcmp(argv[1], "http")) run_http(epoll, port);
  else run_watch(epoll, port);
  return 0;
}
