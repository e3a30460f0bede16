// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.ConfigurationException;
import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import java.awt.geom.Point2D;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import javax.management.ObjectName;
import javax.net.ssl.SSLHandshakeException;
import javax.print.attribute.standard.MediaSizeName;
import javax.security.auth.x500.X500Principal;
import javax.transaction.xa.XAException;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.SAXParseException;

class TypeFilterTest {

    record Mine(List<String> names, Optional<String> none) implements Serializable {}

    /**
     * RemoteException, NamingException, ScriptException, Point, KeyRep and Level were in this list once. They are exceptions and
     * values, and the filter is asked for each object inside them: what an attacker would put there is in this list still.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.rmi.server.UnicastRemoteObject",
                "java.rmi.server.RemoteObjectInvocationHandler",
                "java.rmi.server.UID",
                "java.rmi.MarshalledObject",
                "javax.management.BadAttributeValueExpException",
                "javax.management.openmbean.TabularDataSupport",
                "javax.naming.InitialContext",
                "javax.naming.CompositeName",
                "javax.swing.event.EventListenerList",
                "javax.swing.JPanel",
                "javax.sql.rowset.serial.SerialBlob",
                "com.sun.rowset.JdbcRowSetImpl",
                "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
                "com.sun.jndi.ldap.LdapCtx",
                "sun.reflect.annotation.AnnotationInvocationHandler",
                "sun.rmi.server.UnicastRef",
                "java.net.URL",
                "java.beans.beancontext.BeanContextSupport",
                "java.lang.ProcessBuilder",
                "java.lang.Runtime",
                "java.lang.reflect.Method",
                "java.security.SignedObject",
                "java.util.logging.LogRecord"
            })
    void carriersOfTheJdkAreRefused(String name) throws ClassNotFoundException {
        Class<?> type = Class.forName(name, false, getClass().getClassLoader());

        assertThat(TypeFilter.standard().checkInput(info(type))).isEqualTo(ObjectInputFilter.Status.REJECTED);
        assertThat(TypeFilter.standard().checkInput(info(type.arrayType())))
                .isEqualTo(ObjectInputFilter.Status.REJECTED);
    }

    @Test
    void aCarrierIsRefusedInTheMiddleOfAGraph() throws Exception {
        Class<?> handler = Class.forName("sun.reflect.annotation.AnnotationInvocationHandler");
        Payload payload = Serializing.written(annotatedMethod().getAnnotation(Test.class));

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.read(payload))
                .withMessage("FBR-204 Cannot read argument 17 of map on the worker: " + handler.getName()
                        + " is not allowed: from the JDK, Fiber reads only values and collections; copy its data into"
                        + " a record of your own.");
        assertThat(InvocationHandler.class).isAssignableFrom(handler);
    }

    @SuppressWarnings({"JavaUtilDate", "JdkObsolete", "UnnecessaryStringBuilder"})
    static List<Object> values() throws Exception {
        return List.of(
                new Object[] {1, 1L, 1.5, 1.5f, (byte) 1, (short) 1, 'c', true, "s", new int[] {1}},
                new Integer[] {1},
                new Number[] {1},
                new Comparable<?>[] {"x"},
                new CharSequence[] {"x"},
                new String[][] {{"x"}},
                new StringBuilder("sb"),
                List.of(BigDecimal.ONE, BigInteger.TEN, MathContext.DECIMAL64),
                List.of(
                        Instant.EPOCH,
                        Duration.ofSeconds(1),
                        LocalDate.of(2020, 1, 1),
                        ZonedDateTime.of(2020, 1, 1, 1, 1, 1, 1, ZoneId.of("Europe/Zurich"))),
                List.of(UUID.randomUUID(), new Date(), new BitSet(3), Locale.ROOT, Currency.getInstance("EUR")),
                new GregorianCalendar(TimeZone.getTimeZone("Europe/Zurich")),
                new java.text.DecimalFormat("0.00"),
                new java.sql.Timestamp(1),
                List.of(URI.create("http://localhost/"), InetAddress.getLoopbackAddress(), new java.io.File("f")),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                new ArrayList<>(List.of(1)),
                new LinkedList<>(List.of(1)),
                Arrays.asList(1, 2),
                List.of(1, 2, 3),
                Set.of(1, 2, 3),
                Map.of(1, 2),
                Map.of(1, 2, 3, 4),
                Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
                new TreeMap<>(Map.of("b", 1)),
                new LinkedHashMap<>(Map.of("b", 1)),
                new TreeMap<>(Collections.reverseOrder()),
                EnumSet.of(TimeUnit.DAYS),
                new EnumMap<>(Map.of(TimeUnit.DAYS, 1)),
                new Random(1),
                new ConcurrentHashMap<>(Map.of(1, 2)),
                new ConcurrentSkipListMap<>(Map.of(1, 2)),
                new CopyOnWriteArrayList<>(List.of(1)),
                new LinkedBlockingQueue<>(List.of(1)),
                List.of(new AtomicInteger(1), new AtomicReference<>("x"), new LongAdder(), new ReentrantLock()),
                List.of(Thread.State.NEW, java.nio.file.StandardOpenOption.READ),
                Pattern.compile("a+"),
                new IllegalStateException("x", new java.io.IOException("y")),
                new java.sql.SQLException("z"),
                new ArrayStoreException(),
                String.class);
    }

    @ParameterizedTest
    @MethodSource("values")
    void valuesAndCollectionsOfTheJdkAreAllowed(Object value) {
        Object back = Serializing.travelled(value);

        assertThat(back).hasSameClassAs(value);
    }

    static List<Object> valuesByTheRule() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
        DatatypeFactory xml = DatatypeFactory.newInstance();
        java.awt.geom.GeneralPath path = new java.awt.geom.GeneralPath(new java.awt.Rectangle(1, 2, 3, 4));
        return List.of(
                xml.newXMLGregorianCalendar("2020-02-03T04:05:06Z"),
                xml.newDuration(1000),
                new QName("urn:x", "y"),
                List.of(Level.FINE, Level.parse("777")),
                new java.awt.Point(1, 2),
                new java.awt.Color(1, 2, 3, 4),
                new java.awt.Dimension(1, 2),
                new java.awt.Insets(1, 2, 3, 4),
                new java.awt.Polygon(new int[] {1, 2}, new int[] {3, 4}, 2),
                new Point2D.Double(1, 2),
                new java.awt.geom.Line2D.Float(1, 2, 3, 4),
                java.awt.geom.AffineTransform.getRotateInstance(1),
                path,
                keys.getPublic(),
                keys.getPrivate(),
                keys,
                new SecretKeySpec(new byte[16], "AES"),
                new X500Principal("CN=x"),
                new ObjectName("a:b=c"),
                MediaSizeName.ISO_A4,
                java.net.UnixDomainSocketAddress.of("/tmp/x"),
                java.time.temporal.WeekFields.ISO,
                MethodType.methodType(int.class, String.class),
                Calendar.getInstance(Locale.forLanguageTag("th-TH")),
                new java.rmi.RemoteException("x", new javax.naming.NamingException("y")),
                new javax.script.ScriptException("z"),
                new SSLHandshakeException("no trust"),
                new SAXParseException("bad", null),
                new XAException(3));
    }

    @ParameterizedTest
    @MethodSource("valuesByTheRule")
    void valuesOfTheJdkAreFoundByTheirFields(Object value) {
        Object back = Serializing.travelled(value);

        assertThat(back).hasSameClassAs(value);
    }

    /** The classes of the running JDK, of which each release has others. */
    @Test
    @Tag("slow")
    void noClassThatIsKeptOutIsFoundByItsFields() throws IOException {
        try (Stream<Path> files =
                Files.walk(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules"))) {
            List<Class<?>> allowed = files.map(Path::toString)
                    .filter(name -> name.endsWith(".class") && !name.endsWith("module-info.class"))
                    .flatMap(name -> loaded(name.split("/", 4)[3]))
                    .filter(type -> Serializable.class.isAssignableFrom(type) && JdkTypes.isAllowed(type))
                    .toList();

            assertThat(allowed).hasSizeGreaterThan(1000).contains(SSLHandshakeException.class, Point2D.Double.class);
            assertThat(allowed).noneMatch(java.awt.Component.class::isAssignableFrom);
            assertThat(allowed).noneMatch(java.rmi.Remote.class::isAssignableFrom);
            assertThat(allowed)
                    .filteredOn(type -> !Throwable.class.isAssignableFrom(type))
                    .allMatch(type -> JdkTypes.isExported(type)
                            || type.getName().startsWith("sun.util.")
                            || type.getName().startsWith("com.sun.org.apache.xerces.internal.jaxp.datatype.")
                            || Key.class.isAssignableFrom(type)
                            || Certificate.class.isAssignableFrom(type)
                            || CertPath.class.isAssignableFrom(type));
        }
    }

    private static Stream<Class<?>> loaded(String file) {
        String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
        try {
            return Stream.of(Class.forName(name, false, ClassLoader.getPlatformClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) {
            return Stream.empty();
        }
    }

    @Test
    void aSettingAllowsMoreButNothingThatIsKeptOut() {
        TypeFilter more = TypeFilter.allowing(List.of("java.awt.datatransfer.*", "java.security.SecureRandom"));

        assertThat(TypeFilter.standard().refusal(info(java.awt.datatransfer.DataFlavor.class)))
                .isEqualTo("java.awt.datatransfer.DataFlavor is not allowed: from the JDK, Fiber reads only values"
                        + " and collections; copy its data into a record of your own, or name the class in the setting"
                        + " allowed-classes of this process");
        assertThat(more.refusal(info(java.awt.datatransfer.DataFlavor[].class))).isNull();
        assertThat(more.refusal(info(java.security.SecureRandom.class))).isNull();
        assertThat(more.refusal(info(java.security.GuardedObject.class))).isNotNull();
        assertThat(TypeFilter.allowing(List.of("java.security.*")).refusal(info(java.security.SignedObject.class)))
                .isNotNull();
        for (String never : List.of("java.net.URL", "javax.naming.*", "javax.swing.text.html.HTML")) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> TypeFilter.allowing(List.of(never)))
                    .withMessage("FBR-121 Setting 'allowed-classes' names '" + never
                            + "', which Fiber never deserializes: an attacker could use it to run code, open"
                            + " connections or read bytes past the filter. Remove it from the setting, and copy its"
                            + " data into a record of your own.");
        }
    }

    @Test
    void theFilterOfTheJvmNeverAllowsMore() {
        TypeFilter filter = new TypeFilter(ObjectInputFilter.Config.createFilter("*"));

        assertThat(filter.checkInput(info(java.net.URL.class))).isEqualTo(ObjectInputFilter.Status.REJECTED);
    }

    @Test
    void theFilterOfTheJvmMustAllowToo() {
        ObjectInputFilter jvm = ObjectInputFilter.Config.createFilter("!java.util.BitSet");
        TypeFilter filter = new TypeFilter(jvm);
        ValueCodec codec = new ValueCodec(Serializing.serializer(getClass().getClassLoader(), filter), Side.MASTER);
        Payload bits = Serializing.written(new BitSet());

        assertThat(codec.read(Serializing.written(List.of(1)).open())).isEqualTo(List.of(1));
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> codec.read(bits.open(), Serializing.ARGUMENT, 3))
                .withMessage("FBR-204 Cannot read argument 3 of map on the master: java.util.BitSet is not allowed by"
                        + " this JVM's jdk.serialFilter '!java.util.BitSet'; put a pattern that allows it at the"
                        + " front.");
    }

    @Test
    void exceptionsAreReadThroughAListOfWhatTheProgramAllows() {
        ObjectInputFilter jvm = ObjectInputFilter.Config.createFilter("java.base/*;maxrefs=100;!*");
        FailureCodec codec =
                new FailureCodec(Serializing.serializer(getClass().getClassLoader(), new TypeFilter(jvm)), Side.MASTER);
        IOException thrown = new IOException("disk", new IllegalStateException("full"));
        thrown.setStackTrace(new StackTraceElement[] {new StackTraceElement("A", "b", "A.java", 1)});
        PayloadOutput out = new PayloadOutput();
        codec.write(thrown, out);

        assertThat(codec.read(out.toPayload().open()).original()).get().satisfies(original -> {
            assertThat(original).isExactlyInstanceOf(IOException.class).hasMessage("disk");
            assertThat(original.getCause())
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("full");
            assertThat(original.getStackTrace()).isEqualTo(thrown.getStackTrace());
        });
        assertThat(new TypeFilter(jvm).refusal(info(Placeholder.class, 101)))
                .startsWith("the number of levels, references or bytes is not allowed by this JVM's jdk.serialFilter");
    }

    @Test
    void limitOfReferencesIsNamed() {
        assertThat(TypeFilter.standard().refusal(info(Mine.class, 100_000_000))).isNull();
        assertThat(TypeFilter.standard().refusal(info(Mine.class, 100_000_001)))
                .isEqualTo("there are more than 100000000 references to objects; send it in parts");
    }

    @Test
    void classesOfTheProgramAreAllowed() {
        assertThat(TypeFilter.standard().checkInput(info(Mine.class))).isEqualTo(ObjectInputFilter.Status.ALLOWED);
        assertThat(TypeFilter.standard().checkInput(info(Mine[][].class))).isEqualTo(ObjectInputFilter.Status.ALLOWED);
        assertThat(TypeFilter.standard().checkInput(info(null))).isEqualTo(ObjectInputFilter.Status.UNDECIDED);
    }

    private static java.lang.reflect.Method annotatedMethod() throws NoSuchMethodException {
        return TypeFilterTest.class.getDeclaredMethod("classesOfTheProgramAreAllowed");
    }

    private static ObjectInputFilter.FilterInfo info(@Nullable Class<?> type) {
        return info(type, 1);
    }

    private static ObjectInputFilter.FilterInfo info(@Nullable Class<?> type, long references) {
        return new ObjectInputFilter.FilterInfo() {
            @Override
            public @Nullable Class<?> serialClass() {
                return type;
            }

            @Override
            public long arrayLength() {
                return -1;
            }

            @Override
            public long depth() {
                return 1;
            }

            @Override
            public long references() {
                return references;
            }

            @Override
            public long streamBytes() {
                return 1;
            }
        };
    }
}
